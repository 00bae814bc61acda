# rankeval from its wheel:  make release && docker build -t rankeval . && docker run --rm -v "$PWD:/data" rankeval qrels.txt bm25.run
FROM python:3.13-slim
COPY dist/*.whl /tmp/
RUN pip install --no-cache-dir --no-compile /tmp/*.whl && rm /tmp/*.whl && useradd --create-home rankeval
USER rankeval
WORKDIR /data
ENTRYPOINT ["rankeval"]
CMD ["--help"]
