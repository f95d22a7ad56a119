FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /srv/xlexplain
RUN useradd --create-home --uid 1000 reader

# The same way in as `make run`: torch's CPU build where it can be had, which is some gigabytes smaller.
COPY requirements.txt .
COPY scripts/environment.py scripts/
RUN python scripts/environment.py .venv requirements.txt
ENV PATH=/srv/xlexplain/.venv/bin:$PATH

COPY app.py LICENSE ./
COPY .streamlit .streamlit
COPY pages pages
COPY xlexplain xlexplain

USER reader
EXPOSE 8501

# The body tells, not the status: something else may answer. The app may stand below a base path.
HEALTHCHECK --interval=30s --timeout=5s --start-period=40s --retries=3 \
    CMD ["python", "-c", "import os, sys, urllib.request as r; base = '/' + os.environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '').strip('/'); sys.exit(r.urlopen('http://127.0.0.1:8501' + base.rstrip('/') + '/_stcore/health', timeout=4).read() != b'ok')"]

CMD ["python", "-m", "streamlit", "run", "app.py", "--server.port=8501", "--server.address=0.0.0.0"]
