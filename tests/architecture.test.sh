#!/bin/bash
# architecture.test.sh: includes point down only, and nothing but the door to the host (and git) touches it.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/../agent"
failures=0

fault() {
  echo "$1" >&2
  failures=$((failures + 1))
}

# What each folder may include, itself apart.
declare -A below=(
  [core]=""
  [formats]="core"
  [host]="core formats"
  [facts]="core formats host"
  [profile]="core formats host"
  [providers]="core formats host"
  [snapshot]="core formats host"
  [engine]="core formats host facts profile providers snapshot"
  [cli]="core formats host facts profile providers snapshot engine"
)

for folder in */; do
  folder=${folder%/}
  [ -n "${below[$folder]+known}" ] || { fault "agent/$folder is a layer that this test does not know"; continue; }
  while IFS=: read -r file line text; do
    included=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$text")
    layer=${included%%/*}
    case " $folder ${below[$folder]} " in
      *" $layer "*) ;;
      *) fault "agent/$file:$line includes \"$included\": $folder may include ${below[$folder]:-only itself}" ;;
    esac
  done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' --include='*.cpp' --include='*.hpp' "$folder" || true)
done

# A provider knows no other provider: its folder includes only itself and providers/*.hpp.
for folder in providers/*/; do
  name=$(basename "$folder")
  while IFS=: read -r file line text; do
    fault "agent/$file:$line reaches into another provider: $text"
  done < <(grep -rnE '#include "providers/[^"/]+/' "$folder" | grep -v "\"providers/$name/" || true)
done

# The door: files, commands and signals are host/'s; libgit2 in snapshot/ is the one other writer.
forbidden_headers='<(fcntl\.h|fstream|filesystem|sys/stat\.h|sys/wait\.h|spawn\.h|dirent\.h|cstdio)>'
forbidden_calls='(^|[^_[:alnum:]:.>])(::)?(openat|fopen|popen|system|fork|execve|posix_spawnp?|unlinkat?|renameat|kill)[[:space:]]*\('
outside=$(find . \( -name '*.cpp' -o -name '*.hpp' \) -not -path './host/*' -not -path './snapshot/*' -not -path './main.cpp' |
  sed 's,^\./,,' | sort)
for file in $outside; do
  while IFS=: read -r line text; do
    # Printing and making its arguments absolute are the command line's.
    case $file:$text in
      cli/*'<filesystem>'* | cli/*'<cstdio>'*) continue ;;
    esac
    fault "agent/$file:$line touches the host past the door: $text"
  done < <(grep -nE "#[[:space:]]*include[[:space:]]*$forbidden_headers|$forbidden_calls" "$file" |
    grep -vE '^[0-9]+:[[:space:]]*(//|\*)' || true)
done

# core and formats are pure: they do not even know the host's interface (the table above), nor the clock or environment.
while IFS= read -r hit; do
  fault "agent/$hit is not pure"
done < <(grep -rnE 'getenv|system_clock|std::cout|std::cerr|[^_[:alnum:]]exit\(' core formats || true)

# Only main ends the process.
while IFS= read -r hit; do
  fault "agent/$hit ends the process: only main does"
done < <(grep -rnE '(^|[^_[:alnum:]])(std::)?(exit|_exit|quick_exit|abort)\(' --include='*.cpp' --include='*.hpp' . |
  grep -vE '^\./(main\.cpp|host/)' || true)

[ "$failures" -eq 0 ] || { echo "$failures faults in the architecture" >&2; exit 1; }
echo "layers and door as they should be"
