import FilmList
import Foundation
import Wharf

/// Draws the list anew where it stands on a terminal; elsewhere it prints each state below the one
/// before.
@main enum Listing {
    static func main() async throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let demo = FilmListDemo(
            clock: .system, isTerminal: isTerminal, pause: { try await Task.sleep(for: $0) },
            show: { event, lines in
                // Home, and clear what is below.
                if isTerminal { print("\u{1B}[H\u{1B}[J", terminator: "") }
                print(([event, ""] + lines).joined(separator: "\n") + "\n")
                fflush(nil)
            })
        // Clear the whole screen once.
        if isTerminal { print("\u{1B}[2J", terminator: "") }
        try await demo.run()
    }
}
