import ArgumentParser
import Murphy

struct CompletionsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Prints a shell completion script.",
    discussion: """
      bash: murphy completions bash > /etc/bash_completion.d/murphy; zsh: murphy completions zsh > \
      /usr/share/zsh/vendor-completions/_murphy; fish: murphy completions fish > ~/.config/fish/completions/murphy.fish
      """)

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.") var shell: Shell

  func run() {
    let script =
      switch shell {
      case .bash: MurphyCommand.completionScript(for: .bash)
      case .zsh: MurphyCommand.completionScript(for: .zsh)
      case .fish: MurphyCommand.completionScript(for: .fish)
      }
    Console.printRaw(script + "\n")
  }
}
