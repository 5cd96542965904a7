import Foundation

/// A shell's completions. Those of ArgumentParser know a command by its name alone: behind `camrec --codec` they would
/// offer commands, where the options of `camrec record` are meant.
enum CompletionScript {
  /// The shell for which one is asked for.
  static func shell(askedForBy words: [String]) -> String? {
    let name = "--generate-completion-script"
    if words.first == name { return words.dropFirst().first }
    return words.first.flatMap { $0.hasPrefix(name + "=") ? String($0.dropFirst(name.count + 1)) : nil }
  }

  /// - Parameter script: ArgumentParser's.
  static func whole(_ script: String, for shell: String) -> String {
    guard let (place, words) = additions[shell], let range = script.range(of: place) else { return script }
    return script.replacingCharacters(in: range, with: words)
  }

  /// A place of the script, and what is to stand there.
  private static let additions = [
    "bash": (
      """
          __camrec_offer_flags_options 0

          # Offer subcommand / subcommand argument completions
      """,
      """
          # An option in front of any command is one of 'camrec record'
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
          # An option in front of any command is one of 'camrec record'
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
          # An option in front of any command is one of 'camrec record'
          set -l first $unparsed_tokens[2] (commandline -ct)
          if string match -q -- '-*' "$first[1]"
              set unparsed_tokens camrec record $unparsed_tokens[2..]
          end

      """
    ),
  ]
}
