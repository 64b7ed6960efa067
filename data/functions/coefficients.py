"""Coefficients of the polynomials in crates/dem-core/src/lanes/functions.

Each polynomial has the smallest largest error among those of its degree (Remez exchange in 200 bits). Its coefficients are then rounded to
double precision, where the interval starts at zero one by one, the lowest first, those that are left being fitted again to make up for the rounding.

    pip install mpmath
    python3 coefficients.py
"""

import mpmath
from mpmath import mpf

mpmath.mp.prec = 200


def series(z, terms):
    """Sum of terms(k) zᵏ."""
    return mpmath.fsum(terms(k) * z**k for k in range(60))


def exponential(r):
    """exp r = 1 + r + r²/2 (1 + r q(r))"""
    return series(r, lambda k: 2 / mpmath.factorial(k + 3))


def logarithm(z):
    """2 artanh s = 2 s + s z q(z), z = s²"""
    return series(z, lambda k: mpf(2) / (2 * k + 3))


def logarithm_in_two(z):
    """2 artanh s = 2 s + s z (2/3 + z q(z)), z = s²"""
    return series(z, lambda k: mpf(2) / (2 * k + 5))


def sine(z):
    """sin r = r + r z q(z), z = r²"""
    return series(z, lambda k: (-1) ** (k + 1) / mpmath.factorial(2 * k + 3))


def cosine(z):
    """cos r = 1 − z/2 + z² q(z), z = r²"""
    return series(z, lambda k: (-1) ** k / mpmath.factorial(2 * k + 4))


def arcsine(z):
    """arcsin s = s + s z q(z), z = s²"""
    # the series of 1/√(1 − z), integrated; z <= 1/4
    return mpmath.fsum(
        mpmath.binomial(2 * k + 2, k + 1) / mpf(4) ** (k + 1) / (2 * k + 3) * z**k for k in range(120)
    )


def arctangent(z):
    """arctan t = t + t z q(z), z = t²"""
    return mpmath.fsum((-1) ** (k + 1) / mpf(2 * k + 3) * z**k for k in range(100))


def fit(function, weight, low, high, powers):
    """Coefficients of these powers and the largest weighted error."""
    count = len(powers) + 1
    points = [(low + high - (high - low) * mpmath.cos(mpmath.pi * k / (count - 1))) / 2 for k in range(count)]
    grid = [(low + high - (high - low) * mpmath.cos(mpmath.pi * k / (60 * count))) / 2 for k in range(60 * count + 1)]
    values = [function(x) for x in grid]
    weights = [weight(x) for x in grid]
    for _ in range(12):
        matrix = mpmath.matrix(count, count)
        right = mpmath.matrix(count, 1)
        for row, x in enumerate(points):
            for column, power in enumerate(powers):
                matrix[row, column] = x**power
            matrix[row, count - 1] = (-1) ** row / weight(x)
            right[row] = function(x)
        solution = mpmath.lu_solve(matrix, right)
        found = [solution[k] for k in range(count - 1)]
        errors = [
            (value - mpmath.fsum(c * x**power for c, power in zip(found, powers))) * w
            for x, value, w in zip(grid, values, weights)
        ]
        # the largest error of every stretch of one sign
        peaks = []
        for x, error in zip(grid, errors):
            if peaks and (peaks[-1][1] < 0) == (error < 0):
                if abs(error) > abs(peaks[-1][1]):
                    peaks[-1] = (x, error)
            else:
                peaks.append((x, error))
        while len(peaks) > count:
            peaks.pop(0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1)
        if len(peaks) < count:
            break
        sizes = [abs(error) for _, error in peaks]
        points = [x for x, _ in peaks]
        if max(sizes) < min(sizes) * mpf("1.0001"):
            break
    return found, max(abs(error) for error in errors)


def rounded_fit(function, weight, low, high, degree):
    """Coefficients in double precision, the lowest first, and the largest weighted error."""
    low, high = mpf(low), mpf(high)
    fixed = []
    if low < 0:
        # without its lowest powers a polynomial is zero within the interval and cannot be fitted again
        fixed = [mpf(float(c)) for c in fit(function, weight, low, high, range(degree + 1))[0]]
    while len(fixed) <= degree:
        start = len(fixed)

        def rest(x):
            return function(x) - mpmath.fsum(c * x**k for k, c in enumerate(fixed))

        found, _ = fit(rest, weight, low, high, range(start, degree + 1))
        fixed.append(mpf(float(found[0])))
    points = [low + (high - low) * k / 2000 for k in range(2001)]
    error = max(
        abs(function(x) - mpmath.fsum(c * x**k for k, c in enumerate(fixed))) * weight(x) for x in points
    )
    return [float(c) for c in fixed], error


HALF_LN_2 = mpmath.log(2) / 2
ROOT = (mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)

POLYNOMIALS = [
    # name, function, weight of an error, interval, degree; the weight is what an error is in the result, in proportion to the result, but where
    # it would vanish within the interval
    ("exponential", exponential, lambda r: mpf(1), -HALF_LN_2 * 1.0001, HALF_LN_2 * 1.0001, 9),
    ("logarithm", logarithm, lambda z: z / 2 + mpf(10) ** -9, 0, ROOT**2 * 1.0001, 6),
    ("logarithm_in_two", logarithm_in_two, lambda z: z**2 / 2 + mpf(10) ** -9, 0, ROOT**2 * 1.0001, 7),
    ("inverse cube root", lambda m: mpmath.cbrt(1 / m), lambda m: mpmath.cbrt(m), 1, 2, 3),
    ("sine", sine, lambda z: z + mpf(10) ** -9, 0, (mpmath.pi / 4) ** 2 * 1.0001, 5),
    ("cosine", cosine, lambda z: z**2 + mpf(10) ** -9, 0, (mpmath.pi / 4) ** 2 * 1.0001, 5),
    ("arcsine", arcsine, lambda z: z + mpf(10) ** -9, 0, mpf(1) / 4, 12),
    ("arctangent", arctangent, lambda z: z + mpf(10) ** -9, 0, (mpmath.sqrt(2) - 1) ** 2 * 1.0001, 10),
]

if __name__ == "__main__":
    for name, function, weight, low, high, degree in POLYNOMIALS:
        coefficients, error = rounded_fit(function, weight, low, high, degree)
        print(f"{name}: largest weighted error {float(error):.1e}")
        for coefficient in coefficients:
            print(f"    {coefficient!r},")
