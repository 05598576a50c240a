/// The one script of a report: it adds a copy button to each command. Without it nothing is missing.
enum Script {
  /// SHA-256 of the text below, as the page's Content-Security-Policy names it; a browser test holds them together.
  static let hash = "sha256-YL90TilMI7QcKgdqP5Sz068di68e7R3eieh69AyvnyI="

  static let copyButtons: StaticString = """
    "use strict";
    for (const command of document.querySelectorAll(".command pre")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(command.textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(command);
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
      command.before(button);
    }
    """
}
