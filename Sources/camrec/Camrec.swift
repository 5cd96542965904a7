import ArgumentParser

@main
struct Camrec: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "camrec")
}
