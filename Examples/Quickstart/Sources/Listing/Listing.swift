import FilmList
import Foundation
import Wharf

/// The program of `make list`. On a terminal it redraws the list in place; otherwise it prints each
/// state below the last.
@main enum Listing {
    static func main() async throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let demo = FilmListDemo(
            clock: .system, isTerminal: isTerminal, pause: { try await Task.sleep(for: $0) },
            show: { event, lines in
                // Moves the cursor home, and clears the screen below it.
                if isTerminal { print("\u{1B}[H\u{1B}[J", terminator: "") }
                print(([event, ""] + lines).joined(separator: "\n") + "\n")
                fflush(nil)
            })
        // Clears the whole screen once.
        if isTerminal { print("\u{1B}[2J", terminator: "") }
        try await demo.run()
    }
}
