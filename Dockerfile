# syntax=docker/dockerfile:1

FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
COPY Cargo.toml Cargo.lock ./
COPY src ./src
COPY benches ./benches
COPY openapi.yaml ./
RUN cargo build --release --locked --bin fairgate

FROM debian:bookworm-slim
# A user without a name, a home or a shell, who owns the journal and nothing else.
RUN install -d -o 65532 -g 65532 /var/lib/fairgate
USER 65532:65532
VOLUME /var/lib/fairgate
COPY --from=build /build/target/release/fairgate /usr/local/bin/fairgate
COPY fairgate.example.toml /etc/fairgate/fairgate.toml
# In a container, loopback is nobody's address.
ENV FAIRGATE_LISTEN=0.0.0.0:8080
ENV FAIRGATE_JOURNAL_DIR=/var/lib/fairgate
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["/usr/local/bin/fairgate", "health", "--url", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["/usr/local/bin/fairgate"]
CMD ["serve", "--config", "/etc/fairgate/fairgate.toml"]
