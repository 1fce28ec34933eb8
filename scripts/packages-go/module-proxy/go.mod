module identity-service.internal/module-proxy

go 1.24

require golang.org/x/mod v0.24.0
