#!/bin/bash
# examples.test.sh PROGRAM: what README and docs show is true.
#   - each ```yaml block that begins with a `# profiles/NAME.yaml` line is a profile that `tunekeeper check` accepts
#     (blocks of one page may extend each other);
#   - each ```yaml block that begins with `# wrong:` is one that it refuses, with the words after the colon;
#   - each `$ tunekeeper …` line of a ```console block is run on a host tree, and must exit as the line says
#     (`# exit 2`; 0 unless said);
#   - every link to a file of this tree leads somewhere;
#   - every shipped profile passes `tunekeeper check`.
set -euo pipefail
export LC_ALL=C
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
program=$(readlink -f "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source_dir"
failures=0

fault() {
  echo "$1" >&2
  failures=$((failures + 1))
}

# Splits a page's fenced blocks into files LANGUAGE-LINE.
blocks() {
  awk -v out="$2" '
    /^```/ { if (inside) { inside = 0; close(file) }
             else { inside = 1; language = substr($0, 4); file = sprintf("%s/%s-%04d", out, language == "" ? "text" : language, NR)
                    printf "" > file }
             next }
    inside { print > file }' "$1"
}

check_wrong() {  # check_wrong PAGE BLOCK
  local words status=0 output
  words=$(sed -n '1s/^# wrong: *//p' "$2")
  cp "$2" "$scratch/wrong.yaml"
  output=$("$program" check "$scratch/wrong.yaml" --profile-path "$scratch/profiles" 2>&1) || status=$?
  [ "$status" -eq 65 ] || fault "$1 (line ${2##*-}): check exits $status on a wrong profile, not 65: $output"
  grep -qF -- "$words" <<<"$output" || fault "$1 (line ${2##*-}): check does not say \"$words\": $output"
}

check_console() {  # check_console PAGE BLOCK
  local line wanted status words
  while IFS= read -r line; do
    case $line in '$ tunekeeper '*) ;; *) continue ;; esac
    line=${line#'$ tunekeeper '}
    wanted=0
    if [[ $line =~ ^(.*[^\ ])\ +#\ exit\ ([0-9]+)$ ]]; then line=${BASH_REMATCH[1]} wanted=${BASH_REMATCH[2]}; fi
    read -r -a words <<<"${line//\'/}"
    status=0
    (cd "$scratch/cwd" && "$program" "${words[@]}" --root "$scratch/host" --profile-path "$source_dir/profiles") \
      >"$scratch/output" 2>&1 </dev/null || status=$?
    [ "$status" -eq "$wanted" ] ||
      fault "$1 (line ${2##*-}): 'tunekeeper $line' exits $status, not $wanted: $(cat "$scratch/output")"
  done <"$2"
}

scripts/host-tree "$scratch/host"
mkdir -p "$scratch/host/etc/tunekeeper" "$scratch/cwd"
echo 'profiles: [mysql-oltp, web-frontend]' >"$scratch/host/etc/tunekeeper/host.yaml"

for profile in profiles/*.yaml; do
  output=$("$program" check "$profile" --profile-path profiles 2>&1) || fault "$profile: $output"
done

for page in README.md $(git ls-files 'docs/*.md' 2>/dev/null || find docs -name '*.md'); do
  rm -rf "$scratch/blocks" "$scratch/profiles"
  mkdir -p "$scratch/blocks" "$scratch/profiles"
  cp profiles/*.yaml "$scratch/profiles/"
  blocks "$page" "$scratch/blocks"
  for block in "$scratch"/blocks/yaml-*; do
    [ -e "$block" ] || continue
    name=$(sed -n '1s,^# profiles/\([a-z0-9-]*\)\.yaml$,\1,p' "$block")
    [ -z "$name" ] || cp "$block" "$scratch/profiles/$name.yaml"
  done
  for block in "$scratch"/blocks/yaml-*; do
    [ -e "$block" ] || continue
    case $(head -n 1 "$block") in
      '# wrong: '*) check_wrong "$page" "$block" ;;
      '# profiles/'*.yaml)
        name=$(sed -n '1s,^# profiles/\([a-z0-9-]*\)\.yaml$,\1,p' "$block")
        output=$("$program" check "$scratch/profiles/$name.yaml" --profile-path "$scratch/profiles" 2>&1) ||
          fault "$page (line ${block##*-}): $output"
        ;;
      '# /etc/tunekeeper/'*) ;;
      *) fault "$page (line ${block##*-}): a yaml block must say which file it is in its first line" ;;
    esac
  done
  for block in "$scratch"/blocks/console-*; do
    [ ! -e "$block" ] || check_console "$page" "$block"
  done
  while IFS= read -r link; do
    [ -e "$(dirname "$page")/${link%%#*}" ] || fault "$page: the link to $link leads nowhere"
  done < <(grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\(//; s/\)$//' | grep -vE '^(https?:|#)' || true)
done

[ "$failures" -eq 0 ] || { echo "$failures faults in the docs" >&2; exit 1; }
echo "docs and profiles as they say"
