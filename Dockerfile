# rankeval from its wheel, with its extras and git:
#   make release && docker build -t rankeval .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" rankeval report qrels.txt bm25.run -o report.html
FROM python:3.13.9-slim-trixie
# git names the commit of a history; a mounted repository belongs to somebody else. Debian keeps one version only.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*'
COPY dist/*.whl /tmp/
RUN pip install --no-cache-dir --no-compile "$(echo /tmp/*.whl)[all]" \
    && rm /tmp/*.whl \
    && useradd --create-home rankeval \
    && mkdir /data \
    && chmod 1777 /data
# Any user may run it, one without an entry or a home, too.
ENV HOME=/tmp MPLCONFIGDIR=/tmp/matplotlib
USER rankeval
WORKDIR /data
ENTRYPOINT ["rankeval"]
CMD ["--help"]
