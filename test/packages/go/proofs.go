package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"identity-service.internal/identity"
)

type proofCases struct {
	Proofs  []identity.DPoPRequest
	StepUps []struct {
		Claims        identity.SignIn
		ACRValues     []string
		MaxAgeSeconds int
	}
}

// proofs reads requests with DPoP proofs, and sign-ins, from the standard input. It returns the outcome of each.
func proofs(context.Context, *identity.Client, []string) any {
	var cases proofCases
	check(json.NewDecoder(os.Stdin).Decode(&cases))
	verifier := identity.DPoPVerifier{}
	outcomes := []string{}
	for _, each := range cases.Proofs {
		outcomes = append(outcomes, proofOutcome(verifier.Verify(each)))
	}
	challenges := []any{}
	for _, each := range cases.StepUps {
		required := identity.SignInRequirement{ACRValues: each.ACRValues, MaxAge: time.Duration(each.MaxAgeSeconds) * time.Second}
		if challenge := identity.StepUpChallenge(each.Claims, required, "Bearer"); challenge != "" {
			challenges = append(challenges, challenge)
		} else {
			challenges = append(challenges, nil)
		}
	}
	return result{"proofs": outcomes, "stepUps": challenges}
}

func proofOutcome(err error) string {
	for name, reason := range map[string]error{
		"proof_missing": identity.ErrProofMissing, "proof_invalid": identity.ErrProofInvalid, "proof_expired": identity.ErrProofExpired,
		"proof_mismatch": identity.ErrProofMismatch, "proof_reused": identity.ErrProofReused,
	} {
		if errors.Is(err, reason) {
			return name
		}
	}
	check(err)
	return "ok"
}
