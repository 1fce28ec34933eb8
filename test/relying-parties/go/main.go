// A web application that signs its users in with go-oidc and golang.org/x/oauth2.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

var (
	appURL   = os.Getenv("APP_URL")
	verifier = oauth2.GenerateVerifier()
	state    = rand.Text()
	nonce    = rand.Text()
	idToken  string
	shown    = map[string]any{}
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  appURL + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", "organization", oidc.ScopeOfflineAccess},
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if idToken == "" {
			options := []oauth2.AuthCodeOption{oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)}
			http.Redirect(w, r, config.AuthCodeURL(state, options...), http.StatusFound)
			return
		}
		_ = json.NewEncoder(w).Encode(shown)
	})
	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		if err := signIn(r, provider, config); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		http.Redirect(w, r, "/", http.StatusFound)
	})
	http.HandleFunc("/sign-out", func(w http.ResponseWriter, r *http.Request) {
		var metadata struct {
			EndSession string `json:"end_session_endpoint"`
		}
		_ = provider.Claims(&metadata)
		query := url.Values{"id_token_hint": {idToken}, "post_logout_redirect_uri": {appURL + "/signed-out"}}
		idToken = ""
		http.Redirect(w, r, metadata.EndSession+"?"+query.Encode(), http.StatusFound)
	})
	http.HandleFunc("/signed-out", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("Signed out")) })
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// signIn exchanges the code, refreshes the tokens and reads the profile.
func signIn(r *http.Request, provider *oidc.Provider, config *oauth2.Config) error {
	ctx := r.Context()
	if r.FormValue("state") != state {
		return http.ErrNoCookie
	}
	token, err := config.Exchange(ctx, r.FormValue("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return err
	}
	first, err := verified(ctx, provider, config, token)
	if err != nil {
		return err
	}
	if first.Nonce != nonce {
		return http.ErrNoCookie
	}
	if err := first.VerifyAccessToken(token.AccessToken); first.AccessTokenHash != "" && err != nil {
		return err
	}
	token.Expiry = time.Now().Add(-time.Minute)
	refreshed, err := config.TokenSource(ctx, token).Token()
	if err != nil {
		return err
	}
	if _, err := verified(ctx, provider, config, refreshed); err != nil {
		return err
	}
	profile, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(refreshed))
	if err != nil {
		return err
	}
	idToken = refreshed.Extra("id_token").(string)
	return profile.Claims(&shown)
}

func verified(ctx context.Context, provider *oidc.Provider, config *oauth2.Config, token *oauth2.Token) (*oidc.IDToken, error) {
	raw, _ := token.Extra("id_token").(string)
	return provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw)
}
