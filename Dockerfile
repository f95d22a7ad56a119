FROM python:3.11-slim-bookworm

# The index of PyTorch's CPU builds, as its installation page names it:
#   docker build --build-arg TORCH_INDEX=… -t xlexplain .
# Left empty, pip takes torch from where it takes everything else; on Linux that build brings CUDA
# along, some gigabytes that this app never uses.
ARG TORCH_INDEX=""

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /srv/xlexplain
RUN useradd --create-home --uid 1000 reader

COPY requirements.txt .
RUN if [ -n "$TORCH_INDEX" ]; then \
        pip install --index-url "$TORCH_INDEX" "$(grep '^torch==' requirements.txt)"; \
    fi \
    && pip install -r requirements.txt

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
