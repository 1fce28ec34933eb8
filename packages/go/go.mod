module identity-service.internal/identity

go 1.24
