import Demo
import Foundation
import Wharf

@main enum Quickstart {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-quickstart-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // A leftover in the temporary folder does no harm.

        print(
            "\nWharf quickstart: a typed read that still answers when its service is gone,\n"
                + "and an edit that waits for it\n")
        let demo = Demo(
            origin: Bundle.main.bundleURL.appending(path: "Origin").path(percentEncoded: false),
            log: folder.appending(path: "requests.log").path(percentEncoded: false),
            cache: .file(folder.appending(path: "cache.sqlite").path(percentEncoded: false)),
            data: folder.appending(path: "data.sqlite").path(percentEncoded: false)
        ) { print($0) }
        _ = try await demo.run()
        print()
    }
}
