import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A cache of builds, each a folder named after the fingerprint of its inputs.
///
/// A build is made under a temporary name and renamed, so a visible build is complete. One process
/// builds at a time; lookups take no lock.
struct BuildFolder: Sendable {
    /// The kinds of builds, with the number of each to keep.
    ///
    /// The least recently used builds are removed.
    enum Kind: String, CaseIterable {
        case library, program

        var limit: Int { self == .library ? 3 : 16 }
    }

    /// The folders in which a build is made.
    struct Site {
        /// The folder that becomes the build.
        let made: String
        /// A temporary folder, removed when the build is done.
        let work: String
    }

    let path: String
    /// Called while another process builds and this one waits for it.
    var waiting: @Sendable (_ isWaiting: Bool) -> Void = { _ in }

    /// Returns the folder of a finished build; nil if there is none.
    ///
    /// It counts as used now.
    func find(_ kind: Kind, _ fingerprint: Fingerprint) -> String? {
        let folder = place(of: kind, fingerprint)
        guard let stamp = FileManager.default.contents(atPath: "\(folder)/stamp"),
            stamp.elementsEqual(fingerprint.text.utf8)
        else { return nil }
        utimes(folder, nil)
        return folder
    }

    /// Makes a build, unless another process has made it in the meantime.
    ///
    /// - Parameter make: fills the empty folders that it gets.
    /// - Returns: the folder of the build.
    func build(
        _ kind: Kind, _ fingerprint: Fingerprint, _ make: (Site) async throws(CheckFailure) -> Void
    ) async throws(CheckFailure) -> String {
        let lock = try await acquire()
        // If the process ends without this, the system releases the lock.
        defer { Self.unlock(lock) }
        if let made = find(kind, fingerprint) { return made }
        removeLeftovers()
        let temporary = "\(path)/\(Self.leftover)\(getpid())"
        defer { remove(temporary) }
        let site = Site(made: "\(temporary)/made", work: "\(temporary)/work")
        try Self.makeFolder(site.made)
        try Self.makeFolder(site.work)
        try await make(site)
        try Self.write(fingerprint.text, to: "\(site.made)/stamp")
        let target = place(of: kind, fingerprint)
        remove(target)
        guard rename(site.made, target) == 0 else {
            throw CheckFailure(OutputFailure("'\(target)' could not be created", errno: errno), .outputFailed)
        }
        prune()
        return target
    }

    /// Writes a file.
    ///
    /// - Throws: ``CheckFailure`` if it can't be written.
    static func write(_ text: String, to path: String) throws(CheckFailure) {
        do { try text.write(toFile: path, atomically: false, encoding: .utf8) } catch {
            throw CheckFailure("'\(path)' could not be written: \(error.localizedDescription)", .outputFailed)
        }
    }

    /// Removes a build that turned out to be broken.
    func discard(_ folder: String) { remove(folder) }

    private static let leftover = "building-"

    private func place(of kind: Kind, _ fingerprint: Fingerprint) -> String {
        "\(path)/\(kind.rawValue)-\(fingerprint.name)"
    }

    private func acquire() async throws(CheckFailure) -> Int32 {
        try Self.makeFolder(path)
        let file = "\(path)/lock"
        let lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw CheckFailure(OutputFailure("'\(file)' could not be opened", errno: errno), .outputFailed)
        }
        do throws(CheckFailure) {
            if try take(lock, file) { return lock }
            waiting(true)
            defer { waiting(false) }
            // Polls, because a thread that blocks in `flock` can't be cancelled.
            repeat {
                do { try await Task.sleep(for: .milliseconds(50)) } catch {
                    throw CheckFailure("cancelled", .cancelled)
                }
            } while try !take(lock, file)
        } catch {
            close(lock)
            throw error
        }
        return lock
    }

    /// Unlocks before closing.
    ///
    /// A child that was forked, but did not yet exec, still has the descriptor. So closing alone
    /// would not release the lock.
    private static func unlock(_ lock: Int32) {
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// - Returns: whether the lock was free.
    private func take(_ lock: Int32, _ file: String) throws(CheckFailure) -> Bool {
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            if reason == EWOULDBLOCK { return false }
            guard reason == EINTR else {
                throw CheckFailure(OutputFailure("'\(file)' could not be locked", errno: reason), .outputFailed)
            }
        }
        return true
    }

    /// Removes the leftovers of killed processes, while this process holds the lock.
    private func removeLeftovers() {
        for name in names() where name.hasPrefix(Self.leftover) { remove("\(path)/\(name)") }
    }

    private func prune() {
        for kind in Kind.allCases {
            let builds = names().filter { $0.hasPrefix("\(kind.rawValue)-") }
                .compactMap { name in FilePath.item(at: "\(path)/\(name)").map { (name, $0.changed) } }
                .sorted { $1.1.lexicographicallyPrecedes($0.1) }
            for (name, _) in builds.dropFirst(kind.limit) { remove("\(path)/\(name)") }
        }
    }

    /// The items of the folder; empty if they can't be listed, so that nothing is removed.
    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// Removes an item. A failure is harmless, and the next build tries again.
    private func remove(_ item: String) { try? FileManager.default.removeItem(atPath: item) }

    private static func makeFolder(_ path: String) throws(CheckFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CheckFailure(
                "the folder '\(path)' could not be created: \(error.localizedDescription)", .outputFailed)
        }
    }
}
