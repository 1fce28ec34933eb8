module example.com/verifywebhook

go 1.19
