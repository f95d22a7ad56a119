"""xlexplain: why absolute positions break over cached segments, and how relative ones fix it."""
