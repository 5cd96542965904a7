// swift-tools-version:6.2
import PackageDescription

/// Every target: Swift 6 language mode, honest imports, warnings are errors.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// Logic targets: import no C module; an unsafe construct that is not marked `unsafe` does not build.
let logic: [SwiftSetting] = common + [.strictMemorySafety()]

/// Edge targets: each may import the one C module that it stands for (`scripts/check-sources`).
let edge: [SwiftSetting] = common

let tests: [SwiftSetting] = common

let package = Package(
  name: "camrec",
  products: [
    .executable(name: "camrec", targets: ["camrec"]),
    // The window of 'camrec view'; the program above does without its libraries.
    .executable(name: "camrec-view", targets: ["camrec-view"]),
    // For programs that watch and control recorders (Examples/watch-recorder).
    .library(
      name: "CamrecRecorderAPI", targets: ["RecorderAPI", "RecorderRemote", "ControlCodec", "Platform", "Frames"]),
    // For the tests, which open it at run time in place of Vulkan's own library.
    .library(name: "FaultyVulkan", type: .dynamic, targets: ["FaultyVulkan"]),
    // For the tests: stands before the C library.
    .library(name: "FaultyFiles", type: .dynamic, targets: ["FaultyFiles"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Rig files, suites and looks: the one YAML library for Swift that says of every word at which line and column it
    // stands.
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    // Logs with levels and fields, in the API that Swift's servers share: a library that camrec may come to use logs
    // there, too.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // MARK: C
    .target(name: "CKernels", cSettings: [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CVulkan", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "CFilters", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("avutil"), .linkedLibrary("dl")]),
    .target(name: "CTerminal", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(name: "CPlatform", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .target(name: "CDigest", cSettings: [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])]),
    .target(
      name: "CV4L2", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("v4lconvert")]),
    .target(
      name: "CPhotos", cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("tiff"), .linkedLibrary("lcms2")]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    // Without pkg-config, whose flags of SDL2 the package manager warns of at each build.
    .systemLibrary(name: "CSDL2"),
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"])]),

    // MARK: Logic
    .target(name: "Frames", swiftSettings: logic),
    .target(name: "Color", dependencies: ["Frames", "Platform", "Digest"], swiftSettings: logic),
    .target(name: "Drawing", dependencies: ["Color"], swiftSettings: logic),
    .target(name: "Bake", dependencies: ["Frames", "Platform", "Color", "Kernels"], swiftSettings: logic),
    .target(name: "Audio", dependencies: ["Frames"], swiftSettings: logic),
    .target(name: "Cameras", dependencies: ["Frames", "Platform", "Color", "Drawing", "Audio"], swiftSettings: logic),
    .target(name: "Exposure", dependencies: ["Frames", "Platform", "Color"], swiftSettings: logic),
    .target(name: "Movies", dependencies: ["Frames", "Platform", "RecorderAPI", "Audio"], swiftSettings: logic),
    .target(name: "MovieBoxes", swiftSettings: logic),
    .target(name: "Verification", dependencies: ["Frames", "MovieBoxes"], swiftSettings: logic),
    .target(name: "Goldens", dependencies: ["Frames", "Platform", "Audio"], swiftSettings: logic),
    .target(name: "Cluster", swiftSettings: logic),
    .target(name: "Triggers", dependencies: ["Frames", "Platform"], swiftSettings: logic),
    .target(name: "Retention", dependencies: ["Frames", "Platform", "Digest", "Movies"], swiftSettings: logic),
    .target(name: "Doctor", dependencies: ["Frames", "Platform"], swiftSettings: logic),
    .target(
      name: "SectionFile",
      dependencies: ["Frames", "Platform", .product(name: "Yams", package: "Yams")], swiftSettings: logic),
    .target(name: "Looks", dependencies: ["Color", "Frames", "Platform", "SectionFile"], swiftSettings: logic),
    .target(
      name: "Sidecar", dependencies: ["Frames", "Platform", "RecorderAPI", "Exposure", "Movies"], swiftSettings: logic),
    .target(
      name: "Recorder",
      dependencies: [
        "Frames", "Platform", "ControlCodec", "RecorderAPI", "Color", "Bake", "Audio", "Cameras", "Exposure",
        "Movies", "Sidecar",
      ],
      swiftSettings: logic),
    .target(
      name: "Recovery", dependencies: ["Frames", "Platform", "Movies", "MovieBoxes", "Sidecar"],
      swiftSettings: logic),
    .target(
      name: "Telemetry",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "Movies", "Recorder", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: logic),

    // Pictures and measures of a running recorder, for whoever looks.
    .target(
      name: "Monitor",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "Color", "Kernels", "Bake", "Cameras", "Recorder", "JPEGImages", "Photos",
        "StillMetadata",
      ], swiftSettings: logic),

    .target(name: "Supervision", dependencies: ["Frames", "Platform"], swiftSettings: logic),
    .target(
      name: "ControlSocket", dependencies: ["Frames", "Platform", "ControlCodec", "Recorder"], swiftSettings: logic),
    .target(
      name: "MonitorSocket",
      dependencies: ["Frames", "Platform", "RecorderAPI", "ControlCodec", "ControlSocket", "Monitor"],
      swiftSettings: logic),

    // MARK: Programs that watch and control recorders
    .target(name: "RecorderAPI", dependencies: ["Frames"], swiftSettings: logic),
    .target(name: "ControlCodec", dependencies: ["Frames", "Platform", "RecorderAPI"], swiftSettings: logic),
    .target(
      name: "RecorderRemote", dependencies: ["Frames", "Platform", "RecorderAPI", "ControlCodec"],
      swiftSettings: logic),

    // The viewfinder without its window: what it shows, and how it reaches recorders.
    .target(
      name: "Viewfinder",
      dependencies: ["Frames", "Platform", "RecorderAPI", "ControlCodec", "RecorderRemote", "Drawing"],
      swiftSettings: logic),

    // MARK: Edge
    // The operating system, one door; knows nothing of cameras.
    .target(name: "Platform", dependencies: ["CPlatform", "Frames"], swiftSettings: edge),
    .target(name: "Kernels", dependencies: ["CKernels", "Frames", "Color"], swiftSettings: edge),
    .target(
      name: "BakeVulkan", dependencies: ["CVulkan", "Frames", "Platform", "Kernels", "Bake"], swiftSettings: edge),
    .target(name: "Digest", dependencies: ["CDigest"], swiftSettings: edge),
    .target(name: "Filters", dependencies: ["CFilters", "Frames", "Audio"], swiftSettings: edge),
    .target(
      name: "Terminal",
      dependencies: ["CTerminal", "Frames", "Platform", "RecorderAPI", "Cameras", "Exposure", "Movies", "Recorder"],
      swiftSettings: edge),
    .target(name: "CameraV4L2", dependencies: ["CV4L2", "Frames", "Platform", "Cameras"], swiftSettings: edge),
    .target(name: "JPEGDecoding", dependencies: ["CTurboJPEG", "Frames"], swiftSettings: edge),
    .target(name: "ViewfinderWindow", dependencies: ["CSDL2", "Frames", "Viewfinder"], swiftSettings: edge),
    .target(name: "StillMetadata", dependencies: ["CExif", "Frames", "Platform"], swiftSettings: edge),
    .target(name: "JPEGImages", dependencies: ["CTurboJPEG", "Frames", "Cameras"], swiftSettings: edge),
    .target(name: "Photos", dependencies: ["CPhotos", "Color", "Frames", "Platform"], swiftSettings: edge),
    .target(name: "AudioALSA", dependencies: ["CALSA", "Frames", "Platform", "Audio"], swiftSettings: edge),
    .target(
      name: "MediaFFmpeg",
      dependencies: [
        "CFFmpeg", "Digest", "Frames", "Platform", "RecorderAPI", "Audio", "Cameras", "Movies", "MovieBoxes",
        "Verification",
      ], swiftSettings: edge),

    // MARK: From settings to recorders
    .target(
      name: "Reporting",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "RecorderRemote", "Color", "Drawing", "Cameras", "Exposure",
        "Movies", "Sidecar", "Looks", "Recorder", "Recovery", "Verification", "Terminal", "Retention",
        "Telemetry", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: logic),
    .target(
      name: "Assembly",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "ControlCodec", "RecorderRemote", "Color", "Drawing", "Kernels",
        "Bake", "Audio", "Cameras", "Exposure", "Movies", "Sidecar", "Looks", "Recorder", "Recovery",
        "Verification", "Digest", "BakeVulkan", "CameraV4L2", "AudioALSA", "MediaFFmpeg", "ControlSocket",
        "Terminal", "SectionFile", "Supervision", "Triggers", "Retention", "JPEGImages", "StillMetadata", "Photos",
        "Telemetry", "Reporting", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: logic),
    .target(
      name: "Jobs",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "Color", "Drawing", "Kernels", "Bake", "Audio", "Cameras",
        "Movies", "Sidecar", "Recorder", "Verification", "Goldens", "Cluster", "Digest", "Filters",
        "BakeVulkan", "MediaFFmpeg", "SectionFile", "Supervision", "Reporting", "Assembly",
      ],
      swiftSettings: logic),
    .target(
      name: "Rig",
      dependencies: [
        "Frames", "Platform", "RecorderRemote", "Bake", "Audio", "Cameras", "Movies", "Recorder", "Recovery",
        "AudioALSA", "MediaFFmpeg", "ControlSocket", "Terminal", "SectionFile", "Supervision",
        "Doctor", "Triggers", "Retention", "Telemetry", "Reporting", "Assembly", "Jobs",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: logic),

    // MARK: Command line
    .executableTarget(
      name: "camrec",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "ControlCodec", "RecorderRemote", "Color", "Drawing", "Kernels",
        "Bake", "Cameras", "Exposure", "Movies", "Sidecar", "Looks", "Recorder", "Recovery", "Verification",
        "Goldens", "Cluster", "BakeVulkan", "AudioALSA", "MediaFFmpeg", "ControlSocket", "Monitor", "MonitorSocket",
        "Terminal", "SectionFile", "Supervision", "Doctor", "Triggers", "Retention", "Photos", "Telemetry",
        "Reporting", "Assembly", "Jobs", "Rig", .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: logic),

    // MARK: The viewfinder
    .executableTarget(
      name: "camrec-view",
      dependencies: [
        "Frames", "Platform", "RecorderAPI", "RecorderRemote", "JPEGDecoding", "Viewfinder", "ViewfinderWindow",
      ],
      swiftSettings: logic),

    // MARK: Tests
    // What tests share, a kit for each floor: a test depends on no more of camrec than it tests.
    .target(name: "TestKit", dependencies: ["Frames"], path: "Tests/TestKit", swiftSettings: common),
    .target(
      name: "BakeTestKit", dependencies: ["Bake", "Frames", "Kernels", "Platform"], path: "Tests/BakeTestKit",
      swiftSettings: common),
    .target(
      name: "CameraTestKit", dependencies: ["Cameras", "Frames", "Platform", "TestKit"], path: "Tests/CameraTestKit",
      swiftSettings: common),
    .target(
      name: "MovieTestKit", dependencies: ["Movies", "Audio", "Frames", "Platform"], path: "Tests/MovieTestKit",
      swiftSettings: common),
    .target(
      name: "RecorderTestKit", dependencies: ["Recorder", "RecorderAPI", "Frames"], path: "Tests/RecorderTestKit",
      swiftSettings: common),
    .target(
      name: "FaultyVulkan", path: "Tests/FaultyVulkan", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "FaultyFiles", path: "Tests/FaultyFiles", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "RecorderRemoteTests",
      dependencies: ["RecorderRemote", "ControlCodec", "RecorderAPI", "Platform", "Frames", "TestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "ViewfinderTests",
      dependencies: ["Viewfinder", "RecorderRemote", "ControlCodec", "RecorderAPI", "Platform", "Frames", "TestKit"],
      swiftSettings: tests),
    .testTarget(name: "JPEGDecodingTests", dependencies: ["JPEGDecoding", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(name: "FramesTests", dependencies: ["Frames"], swiftSettings: tests),
    .testTarget(name: "ColorTests", dependencies: ["Color", "Digest", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "JPEGImagesTests",
      dependencies: ["JPEGImages", "JPEGDecoding", "Kernels", "Cameras", "Frames", "StillMetadata", "TestKit"],
      swiftSettings: tests),
    .testTarget(name: "StillMetadataTests", dependencies: ["StillMetadata", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "PhotosTests", dependencies: ["Photos", "Color", "Frames", "Platform", "TestKit"], swiftSettings: tests),
    .testTarget(name: "FiltersTests", dependencies: ["Filters", "Frames", "Audio", "TestKit"], swiftSettings: tests),
    .testTarget(name: "DigestTests", dependencies: ["Digest"], swiftSettings: tests),
    .testTarget(name: "DrawingTests", dependencies: ["Drawing", "Color", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(name: "KernelsTests", dependencies: ["Kernels", "Color", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "BakeTests", dependencies: ["Bake", "Color", "Frames", "Kernels", "BakeTestKit", "TestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "BakeVulkanTests", dependencies: ["BakeVulkan", "Bake", "Kernels", "Color", "Frames", "TestKit"],
      swiftSettings: tests),
    .testTarget(name: "AudioTests", dependencies: ["Audio", "Frames"], swiftSettings: tests),
    .testTarget(
      name: "CamerasTests",
      dependencies: ["Cameras", "Color", "Audio", "Frames", "Platform", "CameraTestKit", "TestKit"],
      swiftSettings: tests),
    .testTarget(name: "ExposureTests", dependencies: ["Exposure", "Color", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "MoviesTests",
      dependencies: ["Movies", "Audio", "Frames", "Platform", "RecorderAPI", "MovieTestKit", "TestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "LooksTests", dependencies: ["Looks", "Color", "Frames", "Platform", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "SidecarTests", dependencies: ["Sidecar", "RecorderAPI", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "Recorder", "Sidecar", "Bake", "Color", "Cameras", "Audio", "Exposure", "Movies", "Frames", "Platform",
        "ControlCodec", "RecorderAPI", "RecorderTestKit", "MovieTestKit", "CameraTestKit", "BakeTestKit", "TestKit",
      ], swiftSettings: tests),
    .testTarget(
      name: "MonitorTests",
      dependencies: ["Monitor", "Cameras", "Color", "Frames", "Kernels", "Platform", "RecorderAPI", "TestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "MonitorSocketTests",
      dependencies: [
        "MonitorSocket", "Monitor", "Bake", "Cameras", "Color", "ControlCodec", "Frames", "JPEGImages", "Kernels",
        "MediaFFmpeg", "Platform", "Recorder", "RecorderAPI", "RecorderRemote", "TestKit",
      ], swiftSettings: tests),
    .testTarget(
      name: "MediaFFmpegTests",
      dependencies: [
        "MediaFFmpeg", "MovieBoxes", "Recovery", "Recorder", "Bake", "Color", "Sidecar", "Cameras", "Movies", "Audio",
        "Frames", "Platform", "RecorderAPI", "MovieTestKit", "CameraTestKit", "TestKit",
      ], swiftSettings: tests),
    .testTarget(
      name: "RecoveryTests", dependencies: ["Recovery", "Platform", "Movies", "Sidecar", "Frames", "TestKit"],
      swiftSettings: tests),
    .testTarget(name: "MovieBoxesTests", dependencies: ["MovieBoxes", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "VerificationTests", dependencies: ["Verification", "MovieBoxes", "Frames", "TestKit"],
      swiftSettings: tests),
    .testTarget(
      name: "AudioALSATests", dependencies: ["AudioALSA", "Audio", "Frames", "Platform"], swiftSettings: tests),
    .testTarget(
      name: "CameraV4L2Tests", dependencies: ["CameraV4L2", "Cameras", "Frames", "Platform"], swiftSettings: tests),
    .testTarget(
      name: "ControlSocketTests",
      dependencies: [
        "ControlSocket", "Recorder", "Frames", "Platform", "RecorderRemote", "ControlCodec", "RecorderAPI",
        "RecorderTestKit", "TestKit",
      ],
      // Read where they stand.
      exclude: ["Conversations"], swiftSettings: tests),
    .testTarget(
      name: "TelemetryTests",
      dependencies: [
        "Telemetry", "Reporting", "Recorder", "Movies", "Frames", "RecorderAPI",
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: tests),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "Terminal", "Exposure", "Movies", "Recorder", "Frames", "RecorderAPI", "RecorderTestKit", "TestKit",
      ],
      swiftSettings: tests),
    .testTarget(name: "GoldensTests", dependencies: ["Goldens", "Audio", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(name: "ClusterTests", dependencies: ["Cluster"], swiftSettings: tests),
    .testTarget(name: "SectionFileTests", dependencies: ["SectionFile", "Frames", "TestKit"], swiftSettings: tests),
    .testTarget(
      name: "RetentionTests", dependencies: ["Retention", "Movies", "Frames", "Platform", "TestKit"],
      swiftSettings: tests),
    .testTarget(name: "DoctorTests", dependencies: ["Doctor", "Frames"], swiftSettings: tests),
    .testTarget(name: "TriggersTests", dependencies: ["Triggers", "Frames", "Platform"], swiftSettings: tests),
    .testTarget(name: "SupervisionTests", dependencies: ["Supervision", "Frames", "Platform"], swiftSettings: tests),
    .testTarget(
      name: "ReportingTests",
      dependencies: [
        "Reporting", "Frames", "Platform", "Recorder", "RecorderAPI", "Recovery", "Retention", "Terminal",
        "Verification", "TestKit",
      ], swiftSettings: tests),
    .testTarget(
      name: "AssemblyTests",
      dependencies: [
        "Assembly", "Audio", "Bake", "Cameras", "Color", "Exposure", "Frames", "Kernels", "Movies", "Platform",
        "Recorder", "RecorderAPI", "Reporting", "Retention", "Telemetry", "Triggers", "CameraTestKit", "TestKit",
      ], swiftSettings: tests),
    .testTarget(
      name: "JobsTests",
      dependencies: [
        "Jobs", "Assembly", "Bake", "Cluster", "Color", "Frames", "Goldens", "Kernels", "Movies", "Recorder",
        "Reporting", "SectionFile", "Sidecar", "TestKit",
      ], swiftSettings: tests),
    .testTarget(
      name: "RigTests",
      dependencies: [
        "Rig", "Assembly", "Audio", "Cameras", "Doctor", "Frames", "Platform", "RecorderRemote", "Recovery",
        "SectionFile", "Supervision", "Triggers", "TestKit",
      ], swiftSettings: tests),
    // They start the program.
    .testTarget(name: "CommandTests", dependencies: ["Frames", "CameraTestKit", "TestKit"], swiftSettings: tests),
  ]
)
