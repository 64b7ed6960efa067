# What the checks of the cases share. Source it: . "$CASES/lib.sh"

# A value of a table with a header: value FILE COLUMN [ROW], ROW counted from 1, the last one without it.
value() {
    awk -F, -v column="$2" -v row="${3:-0}" '
        /^#/ { next }
        # commas within quotes separate nothing
        { gsub(/"[^"]*"/, "text") }
        !found { for (i = 1; i <= NF; i++) if ($i == column) at = i; if (!at) { print "no column " column > "/dev/stderr"; exit 1 } found = 1; next }
        { last = $at; n++; if (row > 0 && n == row) { print last; done = 1; exit } }
        END { if (!done && row == 0 && n > 0) print last; else if (!done) exit 1 }' "$1"
}

# Whether a number is within a distance of another: within VALUE EXPECTED DISTANCE
within() {
    awk -v x="$1" -v expected="$2" -v distance="$3" 'BEGIN {
        if (x == "" || x + 0 != x) exit 1
        d = x - expected
        exit !((d < 0 ? -d : d) <= distance)
    }'
}

# An arithmetic expression: compute "1 + 2 * 3"
compute() {
    awk "BEGIN { printf \"%.9g\", $1 }"
}

# Whether a command ends with an exit code and names what it refuses: refused CODE TEXT COMMAND ..
refused() {
    local code=$1 text=$2 said status
    shift 2
    said=$("$@" 2>&1)
    status=$?
    [ "$status" -eq "$code" ] && [[ "$said" == *"$text"* ]] && return 0
    printf 'exit code %d, expected %d with "%s": %s\n' "$status" "$code" "$text" "$said" >&2
    return 1
}
