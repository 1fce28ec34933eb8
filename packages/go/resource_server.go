package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The errors of [DPoPVerifier.Verify]. Respond with 401 and [DPoPChallenge].
var (
	ErrProofMissing  = errors.New("identity: the header DPoP is missing")
	ErrProofInvalid  = errors.New("identity: the proof is no JWT with an id that is signed with the key in its header")
	ErrProofExpired  = errors.New("identity: the time of the proof is too far from now")
	ErrProofMismatch = errors.New("identity: the proof is for another request or key")
	ErrProofReused   = errors.New("identity: the proof was used before")
)

// DPoPChallenge is the header WWW-Authenticate of a response to a request without a valid proof.
const DPoPChallenge = `DPoP error="invalid_dpop_proof", algs="ES256 RS256 PS256 Ed25519 EdDSA"`

const dpopTolerance = 60 * time.Second

// DPoPRequest is a request with an access token that is bound to a key: the token has the claim cnf.jkt.
type DPoPRequest struct {
	// Proof is the header DPoP.
	Proof string
	// Method and URL are those that the client sees, not behind a proxy. The query makes no difference.
	Method, URL string
	AccessToken string
	// JKT is the claim cnf.jkt of the access token.
	JKT string
}

// DPoPVerifier checks that clients have the keys to which their access tokens are bound (RFC 9449). It remembers used
// proofs in this process. Its zero value is ready to use, by several goroutines.
type DPoPVerifier struct {
	mutex sync.Mutex
	used  map[string]time.Time
}

// Verify checks a request. Verify the access token first. If it has the claim cnf.jkt, accept it only as
// "Authorization: DPoP", with such a proof.
func (v *DPoPVerifier) Verify(request DPoPRequest) error {
	if request.Proof == "" {
		return ErrProofMissing
	}
	claims, jkt, ok := verifiedProof(request.Proof)
	if !ok {
		return ErrProofInvalid
	}
	now := time.Now()
	if age := now.Sub(time.Unix(int64(claims.Iat), 0)); claims.Iat == 0 || age.Abs() > dpopTolerance {
		return ErrProofExpired
	}
	hash := sha256.Sum256([]byte(request.AccessToken))
	expected, found := withoutQuery(request.URL), withoutQuery(claims.Htu)
	if claims.Htm != request.Method || found == "" || found != expected || claims.Ath != encodeBase64URL(hash[:]) || jkt != request.JKT {
		return ErrProofMismatch
	}
	if claims.Jti == "" {
		return ErrProofInvalid
	}
	return v.use(jkt+":"+claims.Jti, now)
}

func (v *DPoPVerifier) use(id string, now time.Time) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for each, until := range v.used {
		if until.Before(now) {
			delete(v.used, each)
		}
	}
	if _, isUsed := v.used[id]; isUsed {
		return ErrProofReused
	}
	if v.used == nil {
		v.used = map[string]time.Time{}
	}
	v.used[id] = now.Add(2 * dpopTolerance)
	return nil
}

// SignIn says how a user signed in: the claims acr and auth_time of an access token.
type SignIn struct {
	ACR      string `json:"acr"`
	AuthTime int64  `json:"auth_time"`
}

// SignInRequirement says how recent and strong a sign-in must be.
type SignInRequirement struct {
	// ACRValues are the acceptable classes: aal1, aal2. A sign-in with a second factor satisfies both.
	ACRValues []string
	// MaxAge is zero for a sign-in of any age.
	MaxAge time.Duration
}

// StepUpChallenge returns the header WWW-Authenticate of a 401 response if a sign-in is too old or too weak for an
// operation (RFC 9470), or "". scheme is Bearer or DPoP. The client then sends the user to the authorization endpoint
// with acr_values and max_age.
func StepUpChallenge(signIn SignIn, required SignInRequirement, scheme string) string {
	isStrong := len(required.ACRValues) == 0 || slices.Contains(required.ACRValues, signIn.ACR) ||
		(signIn.ACR == "aal2" && slices.Contains(required.ACRValues, "aal1"))
	isRecent := required.MaxAge == 0 || (signIn.AuthTime != 0 && time.Since(time.Unix(signIn.AuthTime, 0)) <= required.MaxAge)
	if isStrong && isRecent {
		return ""
	}
	challenge := scheme + ` error="insufficient_user_authentication", error_description="A newer or stronger sign-in is required"`
	if len(required.ACRValues) > 0 {
		challenge += fmt.Sprintf(`, acr_values="%s"`, strings.Join(required.ACRValues, " "))
	}
	if required.MaxAge != 0 {
		challenge += fmt.Sprintf(`, max_age="%d"`, int(required.MaxAge.Seconds()))
	}
	return challenge
}

type proofHeader struct {
	Alg, Typ string
	Jwk      struct{ Kty, Crv, X, Y, N, E, D string }
}

type proofClaims struct {
	Htm, Htu, Ath, Jti string
	Iat                float64
}

func verifiedProof(proof string) (claims proofClaims, jkt string, ok bool) {
	parts := strings.Split(proof, ".")
	if len(parts) != 3 {
		return claims, "", false
	}
	var header proofHeader
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !decode(parts[0], &header) || !decode(parts[1], &claims) || header.Typ != "dpop+jwt" || header.Jwk.D != "" {
		return claims, "", false
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	jkt, ok = header.verify([]byte(parts[0]+"."+parts[1]), digest[:], signature)
	return claims, jkt, ok
}

// verify returns the thumbprint of the key in the header (RFC 7638) if it made the signature.
func (h proofHeader) verify(signed, digest, signature []byte) (string, bool) {
	key := h.Jwk
	switch {
	case h.Alg == "ES256" && key.Kty == "EC" && key.Crv == "P-256" && len(signature) == 64:
		public := ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
		if !public.Curve.IsOnCurve(public.X, public.Y) {
			return "", false
		}
		r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
		return thumbprint("crv", key.Crv, "kty", key.Kty, "x", key.X, "y", key.Y), ecdsa.Verify(&public, digest, r, s)
	case (h.Alg == "EdDSA" || h.Alg == "Ed25519") && key.Kty == "OKP" && key.Crv == "Ed25519":
		public, err := base64.RawURLEncoding.DecodeString(key.X)
		isValid := err == nil && len(public) == ed25519.PublicKeySize && ed25519.Verify(public, signed, signature)
		return thumbprint("crv", key.Crv, "kty", key.Kty, "x", key.X), isValid
	case (h.Alg == "RS256" || h.Alg == "PS256") && key.Kty == "RSA":
		exponent := number(key.E)
		if !exponent.IsInt64() || exponent.Int64() > 1<<31-1 || exponent.Int64() < 2 {
			return "", false
		}
		public := rsa.PublicKey{N: number(key.N), E: int(exponent.Int64())}
		var err error
		if h.Alg == "RS256" {
			err = rsa.VerifyPKCS1v15(&public, crypto.SHA256, digest, signature)
		} else {
			err = rsa.VerifyPSS(&public, crypto.SHA256, digest, signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
		}
		return thumbprint("e", key.E, "kty", key.Kty, "n", key.N), err == nil
	}
	return "", false
}

func thumbprint(members ...string) string {
	pairs := []string{}
	for index := 0; index < len(members); index += 2 {
		pairs = append(pairs, quoted(members[index])+":"+quoted(members[index+1]))
	}
	hash := sha256.Sum256([]byte("{" + strings.Join(pairs, ",") + "}"))
	return encodeBase64URL(hash[:])
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

func number(text string) *big.Int {
	decoded, _ := base64.RawURLEncoding.DecodeString(text)
	return new(big.Int).SetBytes(decoded)
}

func decode(text string, into any) bool {
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(decoded, into) == nil
}

func encodeBase64URL(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

// withoutQuery returns "" for an address that is not valid.
func withoutQuery(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return ""
	}
	path := parsed.EscapedPath()
	if path == "" {
		path = "/"
	}
	return strings.ToLower(parsed.Scheme+"://"+parsed.Host) + path
}
