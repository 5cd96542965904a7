#!/usr/bin/env python3
"""Whole-process benchmarks of camrec against FFmpeg, in one run on one machine.

    Benchmarks/bench.py encode [--runs 5]      1080p NV12 from a raw clip, libx265 ultrafast, no LUT: camrec / ffmpeg
    Benchmarks/bench.py graded [--runs 5]      the same with a 33-point LUT, beside FFmpeg's two ways to bake one:
                                               camrec / ffmpeg
    Benchmarks/bench.py bake   [--runs 5]      the bake alone, one thread, a real picture and a noisy one: camrec,
                                               FFmpeg's two ways, OpenColorIO
    Benchmarks/bench.py start  [--runs 5]      process start to first captured frame on the simulated camera
    Benchmarks/bench.py allocations            heap allocations per frame once warm, by camrec's own code and by the
                                               libraries
    Benchmarks/bench.py cube   [--runs 31]     reading a .cube file of 33, 65 and 256 points per side: camrec's reader
                                               beside FFmpeg's
    Benchmarks/bench.py soak   [--minutes 10]  simulated camera in real time with LUT: losses, memory slope, stolen CPU

Needs the release binary (swift build -c release) and the ffmpeg program; `bake` also clang, and for OpenColorIO its
Python wheel (pip install opencolorio numpy). Prints every run and the medians.
"""
import argparse, json, os, pathlib, platform, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMREC = os.environ.get("CAMREC_BINARY", str(ROOT / ".build/release/camrec"))
LUT = str(ROOT / "LUTs/log2709.cube")


def machine():
    model = next(
        (l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout.split()[2]
    return f"{os.cpu_count()} cores of {model}, Linux {platform.release()}, FFmpeg {version}"


def timed(command):
    """Runs a command; returns wall seconds, CPU seconds and peak memory in MiB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(command)}\nexited {os.waitstatus_to_exitcode(status)}: {errors.decode(errors='replace')}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def raw_clip(path, seconds):
    """Noisy 1080p NV12, 24 frames a second."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
         f"testsrc2=size=1920x1080:rate=24:duration={seconds},noise=alls=12:allf=t:all_seed=7,format=nv12",
         "-c:v", "rawvideo", path], check=True)


def ffmpeg_encodes(clip, output, *filters):
    """The command that encodes as `camrec bake` does, through `filters`."""
    return ["ffmpeg", "-v", "error", "-y", "-i", clip, *filters, "-c:v", "libx265", "-preset", "ultrafast",
            "-crf", "20", "-x265-params", "log-level=error:open-gop=0:keyint=24:min-keyint=24:scenecut=0",
            "-pix_fmt", "yuv420p", "-tag:v", "hvc1", output]


# FFmpeg's own way, and the fastest chain that it has: zscale to planar RGB of 16 bits, which lut3d has in assembly.
LUT3D = f"lut3d=file={LUT}:interp=tetrahedral"
FASTEST = f"zscale=matrixin=709,format=gbrp16le,{LUT3D},zscale=matrix=709,format=yuv420p"


def graded(runs, source):
    with tempfile.TemporaryDirectory() as folder:
        clip, out = f"{folder}/clip.nut", f"{folder}/out.mov"
        if not source:
            source = f"{folder}/scene.mkv"
            subprocess.run([CAMREC, "--camera", "sim:pace=pulled,physics=fast,transfer=apple-log", "--frames", "120",
                            "--codec", "ffv1", "--microphone", "none", "--output", source],
                           check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", source, "-an", "-frames:v", "120",
                        "-vf", "scale=1920:1080", "-pix_fmt", "nv12", "-c:v", "rawvideo", clip], check=True)
        bake = [CAMREC, "bake", clip, "--output", out, "--overwrite", "--microphone", "none"]
        commands = {
            "camrec": [*bake, "--lut", LUT, "--color-in", "apple-log"], "camrec without LUT": bake,
            "ffmpeg lut3d": ffmpeg_encodes(clip, out, "-vf", LUT3D),
            "ffmpeg zscale, gbrp16, lut3d": ffmpeg_encodes(clip, out, "-vf", FASTEST),
            "ffmpeg without LUT": ffmpeg_encodes(clip, out),
        }
        for command in commands.values(): timed(command)
        rows = []
        for run in range(runs):
            rows.append({name: timed(command)[0] for name, command in commands.items()})
            print(f"run {run + 1}: " + ", ".join(f"{name} {wall:.2f} s" for name, wall in rows[-1].items()))
        ratio = lambda a, b: statistics.median(row[a] / row[b] for row in rows)
        print(f"120 frames, median of {runs}: "
              f"camrec {ratio('ffmpeg lut3d', 'camrec'):.2f} x faster than ffmpeg's lut3d (target >= 2.2), "
              f"{ratio('ffmpeg zscale, gbrp16, lut3d', 'camrec'):.2f} x than its fastest chain (target >= 1.35), "
              f"{ratio('camrec', 'camrec without LUT'):.3f} x the time of the bake without a LUT (target <= 1.15)")


def picture(path, source, noise):
    """One frame of 1080p NV12 from `source`, perhaps with noise on it."""
    filters = "scale=1920:1080:out_color_matrix=bt709" + (",noise=alls=24:allf=t:all_seed=7" if noise else "")
    given = ["-i", source] if source else ["-f", "lavfi", "-i", "mandelbrot=size=1920x1080"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *given, "-vf", f"select=gte(n\\,60),{filters},format=nv12",
                    "-frames:v", "1", "-f", "rawvideo", path], check=True)


def ffmpeg_pixels(raw, frames, *filters):
    """Seconds of processor time for `frames` pictures through `filters`, in one thread."""
    return timed(["ffmpeg", "-v", "error", "-threads", "1", "-filter_threads", "1", "-stream_loop", str(frames - 1),
                  "-f", "rawvideo", "-video_size", "1920x1080", "-pixel_format", "nv12", "-i", raw, *filters,
                  "-f", "null", "-"])[1]


def opencolorio(raw, runs):
    """Nanoseconds per pixel of the LUT alone, on RGB of floats that is there already; None without the wheel."""
    try:
        import numpy, PyOpenColorIO as ocio
    except ImportError:
        return None
    rgb = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "rawvideo", "-video_size", "1920x1080", "-pixel_format", "nv12", "-i", raw,
         "-pix_fmt", "rgb24", "-f", "rawvideo", "-"], capture_output=True, check=True).stdout
    picture = (numpy.frombuffer(rgb, dtype=numpy.uint8).astype(numpy.float32) / 255).reshape(1080, 1920, 3)
    transform = ocio.FileTransform(src=LUT, interpolation=ocio.INTERP_TETRAHEDRAL)
    processor = ocio.Config.CreateRaw().getProcessor(transform).getDefaultCPUProcessor()
    times = []
    for _ in range(4 * runs):
        copy = picture.copy()
        image = ocio.PackedImageDesc(copy, 1920, 1080, 3)
        begin = time.thread_time()
        processor.apply(image)
        times.append(time.thread_time() - begin)
    return statistics.median(times) * 1e9 / (1920 * 1080)


def bake(runs, source):
    if not source:
        near = ROOT.parent / "shared/clips/bigbuckbunny.mp4"
        source = str(near) if near.exists() else None
    with tempfile.TemporaryDirectory() as folder:
        program, raw, frames = f"{folder}/kernels", f"{folder}/picture.nv12", 24
        subprocess.run(["clang", "-O3", "-I", "Sources/CKernels/include", "Benchmarks/kernels.c",
                        *sorted(str(p) for p in (ROOT / "Sources/CKernels").glob("*.c")), "-lm", "-pthread",
                        "-o", program], check=True, cwd=ROOT)
        for noise in False, True:
            picture(raw, source, noise)
            rows = []
            for run in range(runs):
                lines = subprocess.run([program, raw], capture_output=True, text=True, check=True, cwd=ROOT).stdout
                ours = {}
                for line in lines.split("the same with noise")[0].splitlines():
                    if " median " in line:
                        name, rest = line[:34].strip(), line[34:].split()
                        ours[name, rest[0]] = float(rest[rest.index("median") + 1])
                empty = ffmpeg_pixels(raw, frames)
                through = lambda chain: (
                    ffmpeg_pixels(raw, frames, "-vf", chain) - empty) * 1e9 / (1920 * 1080 * frames)
                rows.append(ours | {
                    ("ffmpeg lut3d", ""): through(LUT3D + ",format=yuv420p"),
                    ("ffmpeg zscale, gbrp16, lut3d", ""): through(FASTEST)})
                if (other := opencolorio(raw, runs)) is not None: rows[-1]["OpenColorIO, LUT alone", ""] = other
            print(f"\n{'with noise' if noise else source or 'a fractal'}; processor time per pixel, median of {runs}")
            medians = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
            for (name, level), value in medians.items():
                print(f"  {name:36}{level:8}{value:7.3f} ns {1000 / value:7.0f} Mpx/s")
            levels = [level for name, level in medians if name == "tetrahedral 33, nv12 yuv420p"]
            mine = medians["tetrahedral 33, nv12 yuv420p", levels[-1]]
            for (name, level), value in medians.items():
                if not level: print(f"  {levels[-1]} is {value / mine:.1f} x faster than {name}")


def encode(runs):
    with tempfile.TemporaryDirectory() as folder:
        clip, ours, theirs = f"{folder}/clip.nut", f"{folder}/camrec.mov", f"{folder}/ffmpeg.mov"
        raw_clip(clip, 10)
        a = [CAMREC, "bake", clip, "--output", ours, "--overwrite", "--microphone", "none"]
        b = ffmpeg_encodes(clip, theirs)
        timed(a), timed(b)
        rows = []
        for run in range(runs):
            x, y = timed(a), timed(b)
            rows.append((x, y))
            print(f"run {run + 1}: camrec {x[0]:.2f} s wall, {x[1]:.2f} s CPU, {x[2]:.0f} MiB   "
                  f"ffmpeg {y[0]:.2f} s, {y[1]:.2f} s, {y[2]:.0f} MiB   ratio {x[0] / y[0]:.3f}")
        median = lambda pick: statistics.median(pick(r) for r in rows)
        print(f"median wall ratio camrec/ffmpeg {median(lambda r: r[0][0] / r[1][0]):.3f} (target <= 1.05), "
              f"CPU ratio {median(lambda r: r[0][1] / r[1][1]):.3f}, "
              f"memory camrec - ffmpeg {median(lambda r: r[0][2] - r[1][2]):+.0f} MiB (target <= +100)")


def start(runs):
    values = []
    with tempfile.TemporaryDirectory() as folder:
        for run in range(runs):
            begin = time.monotonic()
            process = subprocess.Popen(
                [CAMREC, "--camera", "sim", "--frames", "12", "--json", "--output", f"{folder}/{run}.mov"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            first = None
            for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "stopped":
                    first = event["secondsToFirstFrame"]
            process.wait()
            values.append(first * 1000)
            print(f"run {run + 1}: first captured frame {first * 1000:.0f} ms after process start; "
                  f"whole process {time.monotonic() - begin:.2f} s")
    print(f"median {statistics.median(values):.0f} ms, worst {max(values):.0f} ms (target <= 300)")


def allocations(frames=120):
    with tempfile.TemporaryDirectory() as folder:
        shim, report = f"{folder}/allocations.so", f"{folder}/report"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shim, str(ROOT / "Benchmarks/allocations.c"), "-ldl"],
                       check=True)
        for name, options in [
            ("no LUT", []), ("LUT", ["--lut", LUT]), ("LUT, MJPEG camera", ["--lut", LUT, "--pixel-format", "mjpeg"]),
        ]:
            counts = []
            for length in (frames, 2 * frames):
                environment = dict(os.environ, LD_PRELOAD=shim, ALLOCATION_REPORT=report)
                subprocess.run(
                    [CAMREC, "--camera", "sim", "--size", "640x360", "--frames", str(length), "--overwrite", "--json",
                     "--output", f"{folder}/a.mov", *options],
                    env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                counts.append([int(n) for n in open(report).read().split()])
            path, main, libraries = [(b - a) / frames for a, b in zip(*counts)]
            print(f"{name}, per further frame: {path:.2f} by camrec's own code on the threads of the frame path, "
                  f"{main:.1f} on the main thread (progress events), {libraries:.1f} by the libraries")


def cube(runs):
    with tempfile.TemporaryDirectory() as folder:
        swiftc = ["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-package-name", "camrec",
                  "-I", folder, "-I", str(ROOT / "Sources/CDigest/include"),
                  *(w for f in ("ExistentialAny", "InternalImportsByDefault")
                    for w in ("-enable-upcoming-feature", f))]
        objects = []
        for source in (ROOT / "Sources/CDigest").glob("*.c"):
            objects.append(f"{folder}/{source.stem}.o")
            subprocess.run(["clang", "-O3", "-I", str(ROOT / "Sources/CDigest/include"), "-c", str(source),
                            "-o", objects[-1]], check=True)
        for module in ("Frames", "Digest", "Color"):
            sources = [str(p) for p in (ROOT / "Sources" / module).glob("*.swift")]
            subprocess.run([*swiftc, "-emit-module", "-emit-module-path", f"{folder}/{module}.swiftmodule",
                            "-emit-library", "-static", "-module-name", module, "-o", f"{folder}/lib{module}.a",
                            *sources], check=True)
        subprocess.run([*swiftc, "-module-name", "ReadCube", "-o", f"{folder}/read-cube",
                        str(ROOT / "Benchmarks/read-cube.swift"),
                        *(f"{folder}/lib{m}.a" for m in ("Color", "Digest", "Frames")), *objects], check=True)
        picture = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=size=16x16:duration=0.04:rate=25,format=rgb24"]
        for size in (33, 65, 256):
            path = f"{folder}/{size}.cube"
            subprocess.run([CAMREC, "lut", "make", "--from", "apple-log", "--to", "rec709", "--size", str(size), path],
                           check=True)
            times = runs if size < 256 else min(runs, 5)
            output = subprocess.run([f"{folder}/read-cube", path, str(times)],
                                    capture_output=True, text=True, check=True).stdout
            wall, processor, best = map(float, output.split())
            # One picture of 16x16 pixels with the table, less one without: what FFmpeg takes to read it.
            theirs = [timed([*picture, "-vf", f"lut3d={path}", "-f", "null", "-"])[0]
                      - timed([*picture, "-f", "null", "-"])[0] for _ in range(min(times, 7))]
            print(f"{size} points, {os.path.getsize(path) / 1e6:.1f} MB: median {wall:.1f} ms wall (best {best:.1f}), "
                  f"{processor:.1f} ms processor; FFmpeg {statistics.median(theirs) * 1e3:.0f} ms wall")
            os.remove(path)


def stolen():
    fields = open("/proc/stat").readline().split()[1:]
    return int(fields[7]) / os.sysconf("SC_CLK_TCK")


def soak(minutes):
    with tempfile.TemporaryDirectory() as folder:
        before = stolen()
        process = subprocess.Popen(
            [CAMREC, "--camera", "sim", "--duration", f"{minutes * 60}s", "--lut", LUT, "--json",
             "--output", f"{folder}/soak.mov"],
            stdout=open(f"{folder}/events", "w"), stderr=subprocess.DEVNULL)
        begin, points = time.monotonic(), []
        while process.poll() is None:
            try:
                status = open(f"/proc/{process.pid}/status").read()
                points.append((time.monotonic() - begin, int(status.split("VmRSS:")[1].split()[0]) / 1024))
            except (OSError, IndexError):
                break
            time.sleep(1)
        _ = process.wait()
        stopped = [json.loads(l) for l in open(f"{folder}/events")][-1]
        # The last seconds belong to finishing the file.
        late = [p for p in points if 60 <= p[0] <= minutes * 60 - 5]
        slope = statistics.linear_regression(*zip(*late)).slope * 60 if len(late) > 1 else float("nan")
        print(f"{minutes} min at 1920x1080, 24 fps, LUT, defaults: exit {process.returncode}, "
              f"ledger {json.dumps(stopped['ledger'])}")
        print(f"memory {late[0][1]:.0f} MiB after a minute, {late[-1][1]:.0f} MiB at the end, "
              f"slope {slope:+.3f} MiB/min (target <= 1); "
              f"CPU stolen from the machine meanwhile {stolen() - before:.1f} s")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["encode", "graded", "bake", "start", "allocations", "cube", "soak"])
parser.add_argument("--runs", type=int)
parser.add_argument(
    "--picture", help="what `bake` takes its picture from, and `graded` its clip: anything that FFmpeg reads")
parser.add_argument("--minutes", type=float, default=10)
options = parser.parse_args()
options.runs = options.runs or (31 if options.what == "cube" else 5)
print(machine())
{"encode": lambda: encode(options.runs), "graded": lambda: graded(options.runs, options.picture),
 "bake": lambda: bake(options.runs, options.picture), "start": lambda: start(options.runs), "allocations": allocations,
 "cube": lambda: cube(options.runs), "soak": lambda: soak(options.minutes)}[options.what]()
