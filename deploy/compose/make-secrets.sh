#!/bin/sh
# Makes the secrets of docker-compose.yml, each in a file, where they are missing. What is there stays as it is.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
mkdir -p "$folder"
# Only its owner comes to the files from outside; containers are given them one by one, under users of their own.
chmod 700 "$folder"

write() { # name, content
  [ -e "$folder/$1" ] && return 0
  printf '%s' "$2" >"$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}
random() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }
content() { cat "$folder/$1"; }

write postgres_password "$(random)"
write lacuna_database_password "$(random)"
write sample_owner_password "$(random)"
write sample_reader_password "$(random)"
write service_token "$(random)"
write lacuna_database_url "postgres://lacuna:$(content lacuna_database_password)@postgres:5432/lacuna"
write sample_owner_url "postgres://sample_owner:$(content sample_owner_password)@postgres:5432/sample"
write sample_reader_url "postgres://sample_reader:$(content sample_reader_password)@postgres:5432/sample"
