#!/usr/bin/env python3
"""What looks cost, and what encoders keep of their grain.

    Benchmarks/looks.py cost [--runs 5]     table, grain and both on every instruction set, beside FFmpeg's curves,
                                            lut3d and noise
    Benchmarks/looks.py stills [--runs 5]   time and memory of photographs on every instruction set, as a table;
                                            --sizes 4000x3000,8000x6000
    Benchmarks/looks.py kept [--frames 24]  the grain that x265, ProRes and JPEG keep, of a grey wedge and of the
                                            simulated scene

Needs the release binary (swift build -c release, or $CAMREC_BINARY) and the ffmpeg program; `kept` also numpy and
Pillow (pip install numpy pillow), and encodes with camrec. `cost` and `stills` print every run and the medians; they
need 700 MB for their clips and photographs, and `stills` libjpeg-turbo, which camrec needs, too.
"""
import argparse, ctypes, ctypes.util, io, multiprocessing, os, pathlib, platform, shutil, statistics, subprocess, sys
import tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMREC = os.environ.get("CAMREC_BINARY", str(ROOT / ".build/release/camrec"))
LOOK = ROOT / "Looks/portra-400.yaml"
TAGS = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]


def machine():
    model = next(
        (l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout.split()[2]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{os.cpu_count()} cores of {model}, Linux {platform.release()}, FFmpeg {version}, load {load}"


def used(command, **environment):
    """Runs a command; returns what it used: getrusage(2)."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=dict(os.environ, **environment))
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(command)}\nexited {os.waitstatus_to_exitcode(status)}: {errors.decode(errors='replace')}")
    return usage


def run(command, **environment):
    """Runs a command; returns seconds of processor time."""
    usage = used(command, **environment)
    return usage.ru_utime + usage.ru_stime


def ffmpeg(*arguments):
    run(["ffmpeg", "-v", "error", "-y", *arguments])


# --- Cost ----------------------------------------------------------------------------------------------------------

# The tone curve's points, as FFmpeg's `curves` takes them.
POINTS = "0/0.03 0.15/0.12 0.5/0.48 0.85/0.82 1/0.97"


def levels():
    if platform.machine() == "aarch64": return ["scalar", "neon"]
    flags = set(next(l for l in open("/proc/cpuinfo") if l.startswith("flags")).split())
    wide = {"avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"}
    return ["scalar"] + ["avx2"] * ("avx2" in flags) + ["avx512"] * (wide <= flags)


def cost(runs):
    for size, pixels, planar, frames in [
        ("1920x1080", "nv12", "yuv420p", 96), ("3840x2160", "p010le", "yuv420p10le", 24),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            clip, cube, out = f"{folder}/clip.nut", f"{folder}/look.cube", f"{folder}/out.framemd5"
            ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={size}:rate=24,noise=alls=12:allf=t:all_seed=7,format={pixels}",
                   "-frames:v", str(frames), *TAGS, "-c:v", "rawvideo", clip)
            run([CAMREC, "look", "export", str(LOOK), "--from", "rec709", cube])
            width, height = map(int, size.split("x"))
            count = (frames - 1) * width * height

            def bake(level, *options):
                """Nanoseconds per pixel; a bake of one frame is taken off, for what the start costs."""
                command = [CAMREC, "bake", clip, "--output", out, "--overwrite", "--workers", "1", *options]
                whole, start = run(command, CAMREC_CPU=level), run([*command, "--frames", "1"], CAMREC_CPU=level)
                return (whole - start) * 1e9 / count

            def through(*filters):
                command = ["ffmpeg", "-v", "error", "-threads", "1", "-filter_threads", "1", "-i", clip, *filters,
                           "-f", "null", "-"]
                return (run(command) - run([*command[:-3], "-frames:v", "1", *command[-3:]])) * 1e9 / count

            rows = []
            for number in range(runs):
                row = {}
                for level in levels():
                    plain, table, whole = bake(level), bake(level, "--lut", cube), bake(level, "--look", str(LOOK))
                    row |= {f"table, {level}": table - plain, f"grain, {level}": whole - table,
                            f"both, {level}": whole - plain}
                empty = through()
                for name, chain in [
                    ("curves", f"curves=all='{POINTS}'"), ("lut3d", f"lut3d=file={cube}:interp=tetrahedral"),
                    ("noise", "noise=alls=4:allf=t"),
                ]:
                    row[f"FFmpeg {name}"] = through("-vf", f"{chain},format={planar}") - empty
                rows.append(row)
                print(f"{size}, run {number + 1}: " + ", ".join(f"{name} {value:.2f}" for name, value in row.items()),
                      flush=True)
            print(f"{size} {pixels}, {frames} frames, nanoseconds of processor time per pixel, "
                  f"median of {runs} (least … greatest)")
            for name in rows[0]:
                values = [row[name] for row in rows]
                print(f"  {name:16}{statistics.median(values):7.2f} ({min(values):.2f} … {max(values):.2f})")


# --- Photographs ---------------------------------------------------------------------------------------------------

QUALITY = 92  # camrec's own


def writing(path, width, height):
    """Seconds of processor time in which libjpeg-turbo writes a picture as camrec does: 4:4:4, accurate transform."""
    name = ctypes.util.find_library("turbojpeg")
    if name is None: sys.exit("there is no libturbojpeg here")
    turbo = ctypes.CDLL(name)
    turbo.tjInitCompress.restype = ctypes.c_void_p
    handle, target, size = ctypes.c_void_p(turbo.tjInitCompress()), ctypes.c_void_p(), ctypes.c_ulong()
    with open(path, "rb") as file:
        pixels = file.read()
    start = time.process_time()
    result = turbo.tjCompress2(
        handle, pixels, width, 3 * width, height, 0, ctypes.byref(target), ctypes.byref(size), 0, QUALITY, 4096)
    if result: sys.exit("libjpeg-turbo cannot write the picture")
    return time.process_time() - start


def stills(runs, sizes):
    """From an uncompressed TIFF to a JPEG. The look alone is that without what a small picture takes and without the
    writing; reading is in it."""
    lines = []
    for size in sizes:
        width, height = map(int, size.split("x"))
        count = width * height
        for bits, pixels in [(8, "rgb24"), (16, "rgb48le")]:
            with tempfile.TemporaryDirectory() as folder:
                names = ["photo.tif", "small.tif", "out.jpg", "out.raw"]
                photo, small, out, raw = (f"{folder}/{name}" for name in names)
                for path, shape in [(photo, size), (small, "64x64")]:
                    scene = f"testsrc2=size={shape},noise=alls=12:all_seed=7,format={pixels}"
                    ffmpeg("-f", "lavfi", "-i", scene, "-frames:v", "1", "-compression_algo", "raw", path)

                def apply(path, level):
                    command = [CAMREC, "look", "apply", str(LOOK), path, out, "--overwrite", "--quality", str(QUALITY)]
                    usage = used(command, CAMREC_CPU=level, CAMREC_PROGRESS="none")
                    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

                found = {level: [] for level in levels()}
                for number in range(runs):
                    for level in found:
                        start, (seconds, memory) = apply(small, level)[0], apply(photo, level)
                        if not os.path.exists(raw): ffmpeg("-i", out, "-f", "rawvideo", "-pix_fmt", "rgb24", raw)
                        # In a process of its own: what a parent had in memory counts as its children's, too.
                        with multiprocessing.get_context("fork").Pool(1) as pool:
                            written = pool.apply(writing, (raw, width, height))
                        row = [(seconds - start) * 1e9 / count, (seconds - start - written) * 1e9 / count, memory]
                        found[level].append(row)
                        print(f"{size}, {bits} bits, {level}, run {number + 1}: whole {row[0]:.1f} ns, "
                              f"look {row[1]:.1f} ns, {memory:.0f} MiB", flush=True)
                for level, rows in found.items():
                    whole, look, memory = zip(*rows)
                    middle = f"{statistics.median(look):.1f} ns ({min(look):.1f} … {max(look):.1f})"
                    lines.append(f"| {width}×{height}, {bits} bits | {level} | {statistics.median(whole):.1f} ns | "
                                 f"{middle} | {max(memory):.0f} MiB |")
    print(f"\nNanoseconds of processor time per pixel, medians of {runs} (least … greatest)\n")
    print("| photograph | instruction set | TIFF to JPEG | the look alone (target: ≤ 12) | peak memory |")
    print("| --- | --- | --- | --- | --- |")
    print("\n".join(lines))


# --- What encoders keep --------------------------------------------------------------------------------------------

WIDTH, HEIGHT, PATCHES, TILE = 1920, 1080, 12, 128
# Cycles per picture height. In 1080 rows the grain has half its power at 143.
BANDS = [("coarse", 8, 80), ("middle", 80, 160), ("fine", 160, 320)]
CODECS = [
    ("x265 ultrafast, CRF 16", ["--quality", "16"]), ("x265 ultrafast, CRF 20", ["--quality", "20"]),
    ("x265 ultrafast, CRF 23", ["--quality", "23"]), ("x265 medium, CRF 16", ["--quality", "16", "--preset", "medium"]),
    ("x265 medium, CRF 20", ["--quality", "20", "--preset", "medium"]),
    ("ProRes hq", ["--codec", "prores"]), ("JPEG, quality 85", None)]


def kept(frames):
    import numpy
    from PIL import Image

    def luma(path):
        """Each frame's luma in code values of 8 bits."""
        raw = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-pix_fmt", "gray16le", "-f", "rawvideo", "-"],
            capture_output=True, check=True).stdout
        return numpy.frombuffer(raw, numpy.uint16).reshape(-1, HEIGHT, WIDTH).astype(numpy.float32) / 257

    def jpegs(path):
        """The same of the first frames as JPEG, and their mean size in bytes."""
        raw = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "4", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
            capture_output=True, check=True).stdout
        result, sizes = [], []
        for rgb in numpy.frombuffer(raw, numpy.uint8).reshape(-1, HEIGHT, WIDTH, 3):
            data = io.BytesIO()
            Image.fromarray(rgb).save(data, "JPEG", quality=85)
            sizes.append(data.tell())
            result.append(numpy.asarray(Image.open(data).convert("YCbCr"))[..., 0].astype(numpy.float32))
        return numpy.stack(result), sum(sizes) / len(sizes)

    def bands(noise):
        """Power of the grain in each band, over square tiles."""
        window = numpy.outer(numpy.hanning(TILE), numpy.hanning(TILE)).astype(numpy.float32)
        f = numpy.hypot(*numpy.meshgrid(*2 * [numpy.fft.fftfreq(TILE) * HEIGHT], indexing="ij"))
        power = numpy.zeros((TILE, TILE))
        for frame in noise[:: max(1, len(noise) // 6)]:
            for y in range(0, HEIGHT - TILE + 1, TILE):
                for x in range(0, WIDTH - TILE + 1, TILE):
                    tile = frame[y:y + TILE, x:x + TILE]
                    power += abs(numpy.fft.fft2((tile - tile.mean()) * window)) ** 2
        return [power[(f >= low) & (f < high)].sum() for _, low, high in BANDS]

    with tempfile.TemporaryDirectory() as folder:
        # The look without its grain, so that both films have the same colours.
        shutil.copy(LOOK.with_suffix(".cube"), folder)
        bare = f"{folder}/{LOOK.name}"
        text = LOOK.read_text()
        pathlib.Path(bare).write_text(text.replace("intensity: 0.04", "intensity: 0"))
        if text == pathlib.Path(bare).read_text(): sys.exit(f"{LOOK}: its grain is not of intensity 0.04")
        wedge, scene = f"{folder}/wedge.nut", f"{folder}/scene.mkv"
        ffmpeg("-f", "lavfi", "-i", f"color=gray:size={WIDTH}x{HEIGHT}:rate=24,format=nv12,"
               f"geq=lum='16+219*(0.05+0.9*floor(X*{PATCHES}/{WIDTH})/{PATCHES - 1})':cb=128:cr=128",
               "-frames:v", str(frames), *TAGS, "-c:v", "rawvideo", wedge)
        run([CAMREC, "record", "--camera", "sim:pace=pulled,physics=fast", "--size", f"{WIDTH}x{HEIGHT}", "--fps", "24",
             "--frames", str(frames), "--codec", "ffv1", "--microphone", "none", "--control", "none",
             "--state", "none", "--output", scene])
        for name, source in [("grey wedge", wedge), ("simulated scene", scene)]:
            def film(look, path, *options):
                run([CAMREC, "bake", source, "--look", str(look), "--output", path, "--overwrite", *options])
                return path
            first = [film(look, f"{folder}/{at}.mkv", "--codec", "ffv1") for at, look in enumerate([bare, LOOK])]
            plain, grained = map(luma, first)
            grain = grained - plain
            own = bands(grain)
            print(f"\n{name}, {frames} frames of {WIDTH}x{HEIGHT}: "
                  f"sigma {grain.std():.2f} code values of 8 bits; in per cent of that")
            print(f"  {'':24}{'Mb/s':>7}{'without':>9}{'sigma':>7}{'itself':>8}"
                  + "".join(f"{band:>8}" for band, _, _ in BANDS))
            for codec, options in CODECS:
                if options is None:
                    (bare_after, bare_size), (after, size) = map(jpegs, first)
                else:
                    paths = [film(look, f"{folder}/out{at}.mov", *options) for at, look in enumerate([bare, LOOK])]
                    bare_size, size = [os.path.getsize(p) / frames for p in paths]
                    bare_after, after = map(luma, paths)
                count = len(after)
                # The encoder's own errors, which are there without grain, are not counted as grain.
                left = after - bare_after
                part = float((left * grain[:count]).sum() / (grain[:count] ** 2).sum())
                found = bands(left)
                shares = [(b / a) ** 0.5 for a, b in zip(own, found)] if count == len(grain) else [
                    (b / a) ** 0.5 for a, b in zip(bands(grain[:count]), found)]
                print(f"  {codec:24}{size * 24 * 8 / 1e6:7.1f}{bare_size * 24 * 8 / 1e6:9.1f}"
                      f"{100 * left.std() / grain[:count].std():7.0f}"
                      f"{100 * part:8.0f}" + "".join(f"{100 * share:8.0f}" for share in shares), flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["cost", "stills", "kept"])
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--frames", type=int, default=24)
parser.add_argument("--sizes", default="4000x3000,8000x6000")
options = parser.parse_args()
print(machine())
{"cost": lambda: cost(options.runs), "stills": lambda: stills(options.runs, options.sizes.split(",")),
 "kept": lambda: kept(options.frames)}[options.what]()
