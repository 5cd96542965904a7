import ArgumentParser
import Foundation

/// A shell's completions. ArgumentParser's own recognise a command by its name alone: after `camrec --codec` they would
/// offer commands instead of the options of `camrec record`.
enum CompletionScript {
  /// The shell that a script is requested for; `nil` if none is.
  static func shell(askedForBy words: [String]) -> String? {
    let name = "--generate-completion-script"
    if words.first == name { return words.dropFirst().first }
    return words.first.flatMap { $0.hasPrefix(name + "=") ? String($0.dropFirst(name.count + 1)) : nil }
  }

  /// - Parameter script: ArgumentParser's.
  static func whole(_ script: String, for shell: String) -> String {
    let changes = [additions[shell], help(shell)].compactMap(\.self)
    let changed = changes.reduce(script) { script, change in
      guard let range = script.range(of: change.0) else { return script }
      return script.replacingCharacters(in: range, with: change.1)
    }
    guard shell == "fish" else { return changed }
    let ofHelp = "__camrec_should_offer_completions_for_positional \"camrec help\" -eq 1"
    return changed + (changed.hasSuffix("\n") ? "" : "\n") + "complete -c 'camrec' -n '\(ofHelp)' -fa '\(commands)'\n"
  }

  /// The commands that 'camrec help' lists.
  private static var commands: String {
    let all = Camrec.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return all.compactMap { $0.configuration.commandName }.joined(separator: " ")
  }

  /// 'camrec help' takes the commands' names, which ArgumentParser's scripts do not know.
  private static func help(_ shell: String) -> (String, String)? {
    return switch shell {
    case "bash":
      (
        """
        _camrec_help() {
            repeating_flags=()
            non_repeating_flags=(--version)
            repeating_options=()
            non_repeating_options=()
            __camrec_offer_flags_options -1

        """,
        """
        _camrec_help() {
            repeating_flags=()
            non_repeating_flags=(--version)
            repeating_options=()
            non_repeating_options=()
            __camrec_offer_flags_options -1
            __camrec_add_completions -W '\(commands.replacing(" ", with: "'$'\\n''"))'

        """
      )
    case "zsh": ("'*:subcommands:'", "'*:subcommands:(\(commands))'")
    default: nil
    }
  }

  /// A passage of the script, and its replacement.
  private static let additions = [
    "bash": (
      """
          __camrec_offer_flags_options 0

          # Offer subcommand / subcommand argument completions
      """,
      """
          # An option before any command belongs to 'camrec record'
          if [[ "${COMP_WORDS[1]}" = -* ]]; then
              _camrec_record
              return
          fi
          __camrec_offer_flags_options 0

          # Offer subcommand / subcommand argument completions
      """
    ),
    "zsh": (
      """
          local -i ret=1
          local -ar arg_specs=(
              '--version[
      """,
      """
          # An option before any command belongs to 'camrec record'
          if [[ "${words[2]}" = -* ]]; then
              _camrec_record
              return
          fi

          local -i ret=1
          local -ar arg_specs=(
              '--version[
      """
    ),
    "fish": (
      "    set -l unparsed_tokens (__camrec_tokens -pc)\n",
      """
          set -l unparsed_tokens (__camrec_tokens -pc)
          # An option before any command belongs to 'camrec record'
          set -l first $unparsed_tokens[2] (commandline -ct)
          if string match -q -- '-*' "$first[1]"
              set unparsed_tokens camrec record $unparsed_tokens[2..]
          end

      """
    ),
  ]
}
