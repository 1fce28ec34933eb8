// Writes a version of a Go module into a folder with the layout of a module proxy (https://go.dev/ref/mod#goproxy-protocol).
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: module-proxy <folder of the module> <version> <folder of the proxy>")
	}
	written, err := write(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(written)
}

func write(source, version, proxy string) (string, error) {
	goMod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", err
	}
	path := modfile.ModulePath(goMod)
	escaped, err := module.EscapePath(path)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	info, err := json.Marshal(map[string]string{"Version": version, "Time": time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, version)
	archive, err := os.Create(name + ".zip")
	if err != nil {
		return "", err
	}
	defer archive.Close()
	if err := zip.CreateFromDir(archive, module.Version{Path: path, Version: version}, source); err != nil {
		return "", err
	}
	if err := os.WriteFile(name+".mod", goMod, 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(name+".info", info, 0o644); err != nil {
		return "", err
	}
	return name + ".zip", addToList(filepath.Join(folder, "list"), version)
}

func addToList(file, version string) error {
	listed, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	versions := append(strings.Fields(string(listed)), version)
	semver.Sort(versions)
	return os.WriteFile(file, []byte(strings.Join(slices.Compact(versions), "\n")+"\n"), 0o644)
}
