internal import Foundation
internal import WharfJSON

/// Says by how much the peak of the process's memory grows in one decode: `Growth [shapes|users] [direct|foundation]`. Without
/// arguments it starts itself once for each, so that no run stands on memory that another has freed.
@main
struct Growth {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let document = arguments.first, let decoder = arguments.dropFirst().first else { return try all() }
        let text = document == "users" ? Documents.users(10_000) : Documents.shapes(100_000, tagFirst: true)
        let bytes = JSONBytes(text)
        let growth: Int
        switch (document, decoder) {
        case ("users", "direct"): growth = try peak { try JSON.decode([User].self, from: bytes).count }
        case ("users", _):
            let data = Data(bytes.array)
            growth = try peak { try JSONDecoder().decode([User].self, from: data).count }
        case (_, "direct"): growth = try peak { try JSON.decode([Shape].self, from: bytes).count }
        default:
            let data = Data(bytes.array)
            growth = try peak { try JSONDecoder().decode([Shape].self, from: data).count }
        }
        let megabytes = { (bytes: Int) in String(format: "%.1f MB", Double(bytes) / 1_000_000) }
        let ratio = String(format: "%.2f", Double(growth) / Double(bytes.count))
        print(
            "memory, \(document), \(decoder): payload \(megabytes(bytes.count)), growth \(megabytes(growth)), ratio \(ratio)"
        )
    }

    private static func all() throws {
        for document in ["shapes", "users"] {
            for decoder in ["direct", "foundation"] {
                let child = Process()
                child.executableURL = URL(filePath: CommandLine.arguments[0])
                child.arguments = [document, decoder]
                try child.run()
                child.waitUntilExit()
                guard child.terminationStatus == 0 else { exit(child.terminationStatus) }
            }
        }
    }

    /// How far the peak of the resident memory rises above what is resident now. The peak is set back first, on Linux.
    private static func peak(_ body: () throws -> Int) throws -> Int {
        #if os(Linux)
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        #endif
        let before = try resident()
        guard try body() > 0 else { return 0 }
        return try resident() - before
    }

    /// The peak of the resident memory, in bytes.
    private static func resident() throws -> Int {
        #if os(Linux)
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #endif
    }
}
