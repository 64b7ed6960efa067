# Only what walls and bed enclose counts: packing fraction, height, default region of profiles.
. "$CASES/lib.sh"
awk 'BEGIN {
    d = 0.004; s = 0.999 * d
    print "x,y,z,r"
    for (k = 0; k < 16; k++) for (j = 0; j < 12; j++) for (i = 0; i < 12; i++)
        printf "%.9g,%.9g,%.9g,%.9g\n", (i - 5.5) * s, (j - 5.5) * s, d / 2 + k * s, d / 2
    # out of the box
    printf "0,0,-0.09,%.9g\n0.11,0,-0.02,%.9g\n", d / 2, d / 2
}' >lattice.csv
# a floor and four sides with a height of 70 mm, 23.98 mm to either side
awk 'BEGIN {
    a = 5.5 * 0.999 * 4 + 2; h = 70
    print "solid box"
    quad(-a, -a, 0, a, -a, 0, a, a, 0, -a, a, 0)
    quad(-a, -a, 0, a, -a, 0, a, -a, h, -a, -a, h); quad(-a, a, 0, a, a, 0, a, a, h, -a, a, h)
    quad(-a, -a, 0, -a, a, 0, -a, a, h, -a, -a, h); quad(a, -a, 0, a, a, 0, a, a, h, a, -a, h)
    print "endsolid box"
}
function triangle(a, b, c, d, e, f, g, h, i) {
    print "facet normal 0 0 0\nouter loop"
    printf "vertex %.9g %.9g %.9g\nvertex %.9g %.9g %.9g\nvertex %.9g %.9g %.9g\n", a, b, c, d, e, f, g, h, i
    print "endloop\nendfacet"
}
function quad(a, b, c, d, e, f, g, h, i, j, k, l) { triangle(a, b, c, d, e, f, g, h, i); triangle(a, b, c, g, h, i, j, k, l) }' >box.stl
"$DEM" run scene.toml --out out --steps 1 --json >summary.json || exit 1
number() { awk -v key="\"$1\":" '$1 == key { gsub(",", "", $2); print $2; exit }' summary.json; }
fraction=$(number packing_fraction) height=$(number bed_height)
"$DEM" profile out --axis z --json >profile.json || exit 1
# mean of the bins between the first and the last fifth
solid=$(awk '/"solid_fraction"/ { gsub(",", "", $2); x[n++] = $2 } END { for (k = int(n / 5); k < n - int(n / 5); k++) { s += x[k]; m++ } print s / m }' profile.json)
expected=$(compute "3.14159265358979 / 6 / 0.999^3") tall=$(compute "(15 * 0.999 + 1) * 0.004")
echo "packing fraction $fraction, profile $solid, exact $expected; height $height m, exact $tall m"
# 0.01: the bulk is a few layers thick, and its limits cut layers
within "$fraction" "$expected" 0.02 && within "$height" "$tall" 1e-5 && within "$solid" "$expected" 0.03
