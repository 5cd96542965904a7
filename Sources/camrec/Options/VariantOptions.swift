import ArgumentParser
import Assembly
import Bake
import Foundation
import Frames
import Jobs
import Kernels

/// The values to try for one option.
struct Axis<Value: Sendable>: Sendable { let values: [Value] }

/// The variants in which each case runs.
struct VariantOptions: ParsableArguments {
  @Option(
    name: .customLong("repeat"), parsing: .unconditional,
    help: ArgumentHelp("Run each combination this many times.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of runs is", in: 1...100) }) var runs = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run with each of these numbers of workers: 1,2,8.", valueName: "N,…"),
    transform: VariantOptions.workers) var workers: Axis<Int>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run with each of these instruction sets: scalar,avx2,avx512,neon.", valueName: "NAME,…"),
    transform: VariantOptions.levels) var cpu: Axis<KernelLevel>?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Bake on each of these: cpu,gpu.", valueName: "cpu,gpu"),
    transform: VariantOptions.places) var bakeOn: Axis<BakePlace>?

  /// The options as a command line has them.
  var words: [String] {
    var words: [String] = runs > 1 ? ["--repeat", "\(runs)"] : []
    func add<Value>(_ name: String, _ axis: Axis<Value>?, _ text: (Value) -> String) {
      if let axis { words += [name, axis.values.map(text).joined(separator: ",")] }
    }
    add("--workers", workers) { "\($0)" }
    add("--cpu", cpu, \.rawValue)
    add("--bake-on", bakeOn, \.rawValue)
    return words
  }

  /// Every combination, in order; a single one if no option is given.
  var variants: [GoldenVariant] {
    func axis<Value>(_ asked: Axis<Value>?) -> [Value?] { asked?.values ?? [nil] }
    var variants: [GoldenVariant] = []
    for place in axis(bakeOn) {
      for level in axis(cpu) {
        for workers in axis(workers) {
          for run in 1...runs {
            variants.append(GoldenVariant(workers: workers, level: level, place: place, run: runs > 1 ? run : nil))
          }
        }
      }
    }
    return variants
  }

  @Sendable private static func workers(_ text: String) throws -> Axis<Int> {
    try axis(text) { try WholeNumber.parse($0, "the number of workers is", in: 1...256) }
  }

  @Sendable private static func levels(_ text: String) throws -> Axis<KernelLevel> {
    try axis(text) { word in
      guard let level = KernelLevel(rawValue: word), KernelLevel.supported.contains(level) else {
        let choice = KernelLevel.supported.map(\.rawValue).joined(separator: ", ")
        throw ValidationError(
          "the bake has no instruction set '\(word)' on this processor; choose from \(choice)")
      }
      return level
    }
  }

  @Sendable private static func places(_ text: String) throws -> Axis<BakePlace> {
    try axis(text) { word in
      guard let place = BakePlace(rawValue: word), place != .auto else {
        throw ValidationError("a bake runs on cpu or gpu; this is '\(word)'")
      }
      return place
    }
  }

  private static func axis<Value>(_ text: String, _ read: (String) throws -> Value) throws -> Axis<Value> {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard words.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("write the values with single commas between them; this is '\(text)'")
    }
    return Axis(values: try words.map(read))
  }
}
