# What the scripts of this folder share.

# processes_of TEXT: those of the program with something in their command line
processes_of() {
    local folder
    for folder in /proc/[0-9]*; do
        if [ "$(cat "$folder/comm" 2>/dev/null)" = dem ] && grep -qa -- "$1" "$folder/cmdline" 2>/dev/null; then
            echo "${folder#/proc/}"
        fi
    done
}
