# syntax=docker/dockerfile:1
#
#   docker build -t isogon .                                   the program alone
#   docker run --rm -u "$(id -u)" -v "$PWD:/data" isogon embed vectors.npy -o small.npy
#
#   docker build --target build -t isogon-build .              everything that it is built and tested with
#   docker run --rm isogon-build make demo
#   docker run --rm isogon-build make test

FROM debian:12 AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /isogon
# Alone, so that a change of the sources does not install everything anew.
COPY scripts/setup scripts/setup
RUN scripts/setup build test && rm -rf /var/lib/apt/lists/*
COPY . .
RUN make build
# The program and the shared libraries that it names, the loader among them.
RUN mkdir -p /program/usr/local/bin /program/data \
    && cp build/isogon /program/usr/local/bin/ \
    && ldd build/isogon | grep -o '/[^ ]*' | xargs cp -L --parents -t /program

FROM scratch AS program
COPY --from=build /program /
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/isogon"]
