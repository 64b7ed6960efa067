"""Writes the tables of elementary functions beside it.

    pip install mpmath
    python3 make.py
"""

import math
import random
import struct
from pathlib import Path

import mpmath
from mpmath import mpf

mpmath.mp.prec = 200
FOLDER = Path(__file__).parent
RANDOM = random.Random(20261127)
SMALLEST, LARGEST = 5e-324, 1.7976931348623157e308


def bits(number):
    return f"{struct.unpack('<Q', struct.pack('<d', number))[0]:016x}"


def nearest(value):
    """The double nearest to a number, ties to even, subnormal numbers and infinities included."""
    if value == 0:
        return 0.0
    exponent = max(int(mpmath.floor(mpmath.log(abs(value), 2))), -1022)
    # the logarithm of a number just below a power of two may be rounded to that of the power
    if mpf(2) ** exponent > abs(value) and exponent > -1022:
        exponent -= 1
    unit = exponent - 52
    whole = int(mpmath.nint(mpmath.ldexp(value, -unit)))
    if abs(whole) >= 2 ** (1024 - unit):
        return math.copysign(math.inf, value)
    return math.ldexp(whole, unit)


def log_uniform(count, low, high, sign=False):
    numbers = [2.0 ** RANDOM.uniform(math.log2(low), math.log2(high)) for _ in range(count)]
    return [RANDOM.choice([-1.0, 1.0]) * x for x in numbers] if sign else numbers


def around(*centres, steps=2):
    """Numbers and their next ones."""
    found = []
    for centre in centres:
        below = above = centre
        found.append(centre)
        for _ in range(steps):
            below, above = math.nextafter(below, -math.inf), math.nextafter(above, math.inf)
            found += [below, above]
    return found


def uniform(count, low, high):
    return [RANDOM.uniform(low, high) for _ in range(count)]


def subnormal(count):
    return [SMALLEST * RANDOM.randrange(1, 2 ** RANDOM.randrange(1, 52)) for _ in range(count)]


def near_multiples(count, most):
    """Doubles next to multiples of π/2: those whose distance is small among many."""
    found = []
    for _ in range(count):
        candidates = []
        for _ in range(60):
            multiple = int(2.0 ** RANDOM.uniform(0, math.log2(most / 1.57)))
            exact = multiple * mpmath.pi / 2
            x = nearest(exact)
            candidates.append((abs(mpf(x) - exact), x))
        found.append(min(candidates)[1])
    return found


def convergents(most):
    """Doubles x = m 2^e nearest to multiples of π/2, from the convergents of π/2 / 2^e, up to a largest."""
    found = []
    for exponent in range(-52, 60):
        ratio, previous, current = mpmath.pi / 2 / mpf(2) ** exponent, (0, 1), (1, 0)
        rest = ratio
        for _ in range(60):
            whole = int(mpmath.floor(rest))
            previous, current = current, (whole * current[0] + previous[0], whole * current[1] + previous[1])
            if current[0] >= 2**53:
                break
            x = math.ldexp(current[0], exponent)
            if current[0] >= 2**52 and 1 < x < most:
                found.append((abs(mpf(x) - current[1] * mpmath.pi / 2), x))
            rest = 1 / (rest - whole)
    return [x for _, x in sorted(found)]


def angles():
    hard = convergents(2.0**40)
    return (
        log_uniform(60, 1e-9, 1.0, True)
        + uniform(60, -10.0, 10.0)
        + log_uniform(120, 1.0, 1e5, True)
        + log_uniform(40, 1e5, 2.0**40, True)
        + near_multiples(40, 1e5)
        + hard[:40]
        + [x for x in hard if x < 1e5][:40]
        + around(math.pi / 4, math.pi / 2, math.pi, 3 * math.pi / 4, 2 * math.pi)
        + subnormal(4)
        + [2.0**40, -1e5, 1e5]
    )


def exponents():
    return (
        log_uniform(60, 1e-20, 1.0, True)
        + uniform(160, -2.0, 2.0)
        + uniform(80, -700.0, 709.0)
        + uniform(40, -745.2, -708.0)
        + around(709.782712893384, -708.3964185322641, -745.1332191019411, 1.0, -1.0)
        + [(k + 0.5) * math.log(2.0) for k in range(-20, 20)]
        + subnormal(4)
        + [709.0, 709.5, -746.0]
    )


def positive():
    return (
        log_uniform(160, 1e-300, 1e300)
        + [1.0 + d for d in log_uniform(80, 1e-16, 0.4, True)]
        + uniform(100, 0.25, 4.0)
        + around(1.0, math.sqrt(2.0), math.sqrt(0.5), 2.0, 0.5, steps=3)
        + subnormal(30)
        + [SMALLEST, LARGEST, 2.2250738585072014e-308]
    )


def above_minus_one():
    return (
        log_uniform(120, 1e-20, 1.0, True)
        + [-1.0 + d for d in log_uniform(40, 1e-15, 1.0)]
        + uniform(140, -0.99, 3.0)
        + log_uniform(60, 1.0, 1e300)
        + around(math.sqrt(2.0) - 1.0, math.sqrt(0.5) - 1.0, 1.0, -0.5)
        + subnormal(4)
        + [LARGEST, math.nextafter(-1.0, 0.0)]
    )


def bases_and_powers():
    pairs = [(x, y) for x, y in zip(log_uniform(100, 1e-300, 1e300), uniform(100, -3.0, 3.0))]
    for x in log_uniform(200, 1e-300, 1e300) + uniform(100, 0.5, 2.0) + subnormal(20):
        # results from one to the ends of the range
        if x != 1.0:
            pairs.append((x, RANDOM.uniform(-744.0, 709.7) / math.log(x)))
    for d in log_uniform(120, 1e-16, 0.1, True):
        x = 1.0 + d
        if x != 1.0:
            pairs.append((x, RANDOM.uniform(-744.0, 709.7) / math.log(x)))
    for y in [1.5, 0.5, 1.0 / 3.0, 2.0, -1.0, 0.25, 2.0 / 3.0, 1e-20, -1e-300]:
        pairs += [(x, y) for x in log_uniform(12, 1e-60, 1e60)]
    pairs += [(math.sqrt(2.0), y) for y in uniform(20, -2000.0, 2040.0)]
    pairs += [(math.nextafter(math.sqrt(0.5), 0.0), y) for y in uniform(20, -2000.0, 2040.0)]
    return pairs


def shares():
    return (
        log_uniform(60, 1e-20, 1.0, True)
        + uniform(200, -1.0, 1.0)
        + [s * (1.0 - d) for d in log_uniform(60, 1e-16, 0.5) for s in (1.0, -1.0)]
        + around(0.5, -0.5, steps=3)
        + [1.0, -1.0, math.nextafter(1.0, 0.0), math.nextafter(-1.0, 0.0)]
        + subnormal(4)
    )


def slopes():
    return (
        log_uniform(120, 1e-20, 1e20, True)
        + uniform(200, -5.0, 5.0)
        + around(math.sqrt(2.0) - 1.0, math.sqrt(2.0) + 1.0, 1.0, -1.0, steps=3)
        + subnormal(4)
        + log_uniform(10, 1e20, 1e300, True)
    )


def sides():
    pairs = [(y, x) for y, x in zip(uniform(200, -1.0, 1.0), uniform(200, -1.0, 1.0))]
    pairs += [(y, x) for y, x in zip(log_uniform(150, 1e-300, 1e300, True), log_uniform(150, 1e-300, 1e300, True))]
    for x in log_uniform(40, 1e-300, 1e300, True):
        pairs.append((x * RANDOM.uniform(0.3, 3.0), x))
    pairs += [(LARGEST, LARGEST), (-LARGEST, LARGEST), (SMALLEST, SMALLEST), (1e-310, -3e-310), (1.0, 0.0), (-1.0, 0.0)]
    # a quotient that is no normal number is told apart by less than its last place
    return [(y, x) for y, x in pairs if x == 0.0 or x < 0.0 or abs(mpf(y) / mpf(x)) > mpf(2) ** -1021]


# Where the functions of this project had their largest errors in a search with mpmath.
HARD = {
    "exp": [12.131815228785854, -27.376795165473595, 3.845222936652135, 12.173131053568795],
    "exp_m1": [-37.083714102598606, 0.3875582301916438, -37.08485219825525, -37.085990292194765, -37.08712838613428],
    "ln": [0.7026028846594272, 1.276743131384137, 1.403645967511693, 1.4089626528439112],
    "ln_1p": [-0.29300907599863424, -0.3009769934680663, -0.2931209564936581, -0.29604846886068126],
    "cbrt": [312286488269.0237, 188363.94923626396, 3.35854538197226e+16, 51743200237765.625],
    "pow": [(0.7146761396405054, 1942.5433256551498), (1.4257566689135275, -2.8949555405415595), (1.4278464521368732, -2.8810236523859203), (1.41326751903689, -2.978216539719142), (0.7611365047239815, -1.3257566352258436)],
    "sin": [7207.548647420481, 5.498670136323199, -11648.269335273653, 59450.73763432447, -12499.662500340492],
    "cos": [0.7932807380566373, -98337.34396888758, -0.816304350970313, -622.836040565744, 3.9405715716420673],
    "acos": [0.5820508705219254, 0.5764575668727048, 0.5742099302005954, 0.5798758391028969, 0.5797601006343029],
    "asin": [-0.5013509126056306, 0.5130065519188065, -0.40091617504367605, -0.540337133774301],
    "atan": [0.4033939988075872, -0.45069972972851247, 0.4401984852156602, -0.44017245259601623],
    "atan2": [(2.544440104098612, 5.903874791364615), (1.0616311240301002, 2.3538770413651946), (-2.2964049098663963, 5.234531696682097), (-2.071114849182777, 5.309628383663949), (0.9034880292601883, 2.3011626763036475)],
}

TABLES = {
    "exp": (mpmath.exp, exponents),
    "exp_m1": (mpmath.expm1, exponents),
    "ln": (mpmath.log, positive),
    "ln_1p": (mpmath.log1p, above_minus_one),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), lambda: positive() + [-x for x in positive()[::4]]),
    "pow": (mpmath.power, bases_and_powers),
    "sin": (mpmath.sin, angles),
    "cos": (mpmath.cos, angles),
    "acos": (mpmath.acos, shares),
    "asin": (mpmath.asin, shares),
    "atan": (mpmath.atan, slopes),
    "atan2": (mpmath.atan2, sides),
}

if __name__ == "__main__":
    for name, (function, arguments) in TABLES.items():
        rows = []
        for argument in arguments() + HARD[name]:
            argument = argument if isinstance(argument, tuple) else (argument,)
            # the exponentials and cosines of very small numbers differ from one by less than 200 bits show
            with mpmath.workprec(200 + 1200 * (abs(argument[0]) < 1e-30)):
                value = function(*(mpf(x) for x in argument))
                high = nearest(value)
                if math.isinf(high):
                    continue
                low = nearest(value - mpf(high))
            rows.append(",".join(bits(x) for x in (*argument, high, low)))
        names = ["x", "y"][: rows[0].count(",") - 1]
        names = ["y", "x"] if name == "atan2" else names
        path = FOLDER / f"{name}.csv"
        path.write_text(",".join([*names, "high", "low"]) + "\n" + "\n".join(rows) + "\n")
        print(f"{path.name}: {len(rows)} rows")
