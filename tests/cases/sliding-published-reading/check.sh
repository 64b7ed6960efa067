# Where a sphere that does not pass comes to rest, with transitions after reversals as a contact law can know them and as equations 2 and 3 of the
# source read: places of an independent evaluation.
. "$CASES/lib.sh"
"$DEM" study sliding --steps 2000 --reading published --out out > log || exit 1
table=out/sliding_comparisons.csv
place() { awk -F'"' -v label="$1" '$2 == label { split($3, column, ","); print column[4] }' "$table"; }
law=$(place 'line, v0 = 0.70 v_crit, incremental: place of rest [m]')
published=$(place 'line, v0 = 0.70 v_crit, incremental, published reading: place of rest [m]')
printf 'law %s m (-0.311), published %s m (-0.354)' "$law" "$published"
within "$law" -0.311 5e-4 && within "$published" -0.354 5e-4 || exit 1
# no law can have it: it needs a load that is still to come
refused 2 'contact.hysteresis_reading' "$DEM" check scene.toml --set contact.hysteresis_reading=published
