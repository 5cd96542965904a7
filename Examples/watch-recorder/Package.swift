// swift-tools-version:6.2
import PackageDescription

/// A program of its own that watches and controls recorders; `scripts/test-remote` builds and runs it.
let package = Package(
  name: "watch-recorder",
  dependencies: [.package(name: "camrec", path: "../..")],
  targets: [
    .executableTarget(
      name: "watch-recorder", dependencies: [.product(name: "CamrecRecorderAPI", package: "camrec")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ])
