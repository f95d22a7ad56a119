"""What the pages share: frame, controls, prose, cached models, components."""
