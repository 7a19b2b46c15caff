import Foundation
import Synchronization
import Testing
import WharfCore

@testable import WharfStores

@Suite struct FileKeyValueStoreTests {
    private let scratch: Scratch
    private let folder: String
    private let files = FileManager.default

    init() throws {
        scratch = try Scratch()
        folder = scratch.fresh()
    }

    private func path(of key: String) -> String { folder + "/" + ValueFileName.of(key) }

    private func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    @Test func filesAreReadableByTheUserOnly() async throws {
        let store = try await FileKeyValueStore.open(at: folder + "/a/b")
        try await store.set([1], for: "token")
        #expect(try files.mode(folder) == 0o700)
        #expect(try files.mode(folder + "/a/b") == 0o700)
        for name in try files.names(in: folder + "/a/b") {
            #expect(try files.mode(folder + "/a/b/" + name) == 0o600, "\(name)")
        }
    }

    @Test func fileNamesAreSafeEverywhere() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        let keys = ["", "..", "a/b", "\0", "A", "a", String(repeating: "\u{1F600}", count: 2_000)]
        for key in keys { try await store.set([1], for: key) }
        let names = try files.names(in: folder).filter { $0 != "lock" }
        #expect(names.count == keys.count)
        for name in names {
            #expect(name.utf8.count <= 151 && name == name.lowercased() && !name.hasPrefix("."))
            #expect(name.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz-.".utf8.contains($0) })
        }
    }

    @Test(arguments: ["short", String(repeating: "long", count: 100)])
    func aDamagedByteIsCorruptForItsKeyAlone(key: String) async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try await store.set([1, 2, 3], for: key)
        try await store.set([4], for: "other")
        let whole = try files.bytes(path(of: key))
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            try write(damaged, to: path(of: key))
            await #expect { try await store.value(for: key) } throws: {
                [.corrupt, .undecodable].contains(($0 as? StoreError)?.code)
            }
        }
        #expect(try await store.value(for: "other") == [4])
        try await store.set([5], for: key)
        #expect(try await store.value(for: key) == [5])
    }

    @Test(arguments: ["short", String(repeating: "long", count: 100)])
    func aFileThatIsCutIsCorrupt(key: String) async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try await store.set([1, 2, 3], for: key)
        let whole = try files.bytes(path(of: key))
        for count in whole.indices {
            try write(Array(whole.prefix(count)), to: path(of: key))
            await #expect { try await store.value(for: key) } throws: { ($0 as? StoreError)?.code == .corrupt }
        }
        try await store.set(nil, for: key)
        #expect(try await store.value(for: key) == nil)
    }

    @Test(arguments: ["short", String(repeating: "long", count: 100)])
    func aFileUnderAnotherNameIsCorrupt(key: String) async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try await store.set([1], for: key + "1")
        try files.copyItem(atPath: path(of: key + "1"), toPath: path(of: key))
        await #expect { try await store.value(for: key) } throws: { ($0 as? StoreError)?.code == .corrupt }
        #expect(try await store.value(for: key + "1") == [1])
    }

    @Test func longNamesWithEqualHashDoNotOverwriteEachOther() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        let key = String(repeating: "x", count: 100)
        try await store.set([1], for: key + "other")
        // Simulates a hash collision of both keys.
        try files.moveItem(atPath: path(of: key + "other"), toPath: path(of: key))
        let before = try files.bytes(path(of: key))
        for value in [[2], nil] as [[UInt8]?] {
            await #expect { try await store.set(value, for: key) } throws: { ($0 as? StoreError)?.code == .corrupt }
        }
        #expect(try files.bytes(path(of: key)) == before)
    }

    @Test func damagedFileIsListedIfItsNameIsKnownElseCorrupt() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        let long = String(repeating: "x", count: 100)
        for key in ["short", long] { try await store.set([1], for: key) }
        try write([], to: path(of: "short"))
        #expect(try await store.keys(withPrefix: "") == ["short", long])
        try write([], to: path(of: long))
        await #expect { try await store.keys(withPrefix: "") } throws: {
            guard let error = $0 as? StoreError else { return false }
            return error.code == .corrupt && error.message.contains(ValueFileName.of(long))
        }
    }

    @Test func aDirectoryInTheWayIsCorruptForItsKeyAlone() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try files.createDirectory(atPath: path(of: "x"), withIntermediateDirectories: false)
        await #expect { try await store.value(for: "x") } throws: { ($0 as? StoreError)?.code == .corrupt }
        await #expect { try await store.set([1], for: "x") } throws: { $0 is StoreError }
        try await store.set([1], for: "y")
        #expect(try await store.value(for: "y") == [1])
        #expect(try files.names(in: folder).contains { $0.hasPrefix("tmp-") } == false)
    }

    @Test func otherFilesAreLeftAlone() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try await store.set([1], for: "J")
        let others = [
            ".DS_Store", "README", "n-.txt", "n-4A.value", "n-4.value", "n-zz.value", "n-ff.value", "h-4a.value",
        ]
        for name in others { try write([7], to: folder + "/" + name) }
        let again = try await FileKeyValueStore.open(at: folder)
        #expect(try await again.keys(withPrefix: "") == ["J"])
        for name in others { #expect(try files.bytes(folder + "/" + name) == [7]) }
    }

    @Test func openingRemovesFilesOfKilledWriters() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try await store.set([1], for: "x")
        let leftover = folder + "/tmp-1"
        try write(Array(try files.bytes(path(of: "x")).prefix(9)), to: leftover)
        #expect(try await store.keys(withPrefix: "") == ["x"])
        let again = try await FileKeyValueStore.open(at: folder)
        #expect(!files.fileExists(atPath: leftover))
        #expect(try await again.value(for: "x") == [1])
    }

    @Test func openingKeepsFilesOfLiveWriters() async throws {
        _ = try await FileKeyValueStore.open(at: folder)
        let writer = Foundation.open(folder + "/lock", O_RDWR | O_CLOEXEC)
        #expect(flock(writer, LOCK_SH) == 0)
        let written = folder + "/tmp-1"
        try write([1], to: written)
        _ = try await FileKeyValueStore.open(at: folder)
        #expect(files.fileExists(atPath: written))
        flock(writer, LOCK_UN)
        close(writer)
        _ = try await FileKeyValueStore.open(at: folder)
        #expect(!files.fileExists(atPath: written))
    }

    @Test func twoStoresOnOneFolderSeeTheSame() async throws {
        let one = try await FileKeyValueStore.open(at: folder)
        let two = try await FileKeyValueStore.open(at: folder)
        try await one.set([1], for: "x")
        #expect(try await two.value(for: "x") == [1])
        try await two.set(nil, for: "x")
        #expect(try await one.keys(withPrefix: "") == [])
    }

    @Test(arguments: [[1], nil] as [[UInt8]?])
    func aChangeThatIsNotFlushedIsNotDenied(value: [UInt8]?) async throws {
        let isBroken = Mutex(false)
        let values = try ValueFolder(at: folder) { descriptor in
            var status = stat()
            fstat(descriptor, &status)
            // Only folders fail, so the value itself is on the disk.
            guard isBroken.withLock({ $0 }), status.st_mode & S_IFMT == S_IFDIR else { return fsync(descriptor) }
            errno = EIO
            return -1
        }
        try values.write([0], to: "x")
        isBroken.withLock { $0 = true }
        #expect {
            if let value { try values.write(value, to: "x") } else { try values.remove("x") }
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .unavailable && !error.message.contains("nothing was changed")
        }
        #expect(try values.read("x") == value)
    }

    @Test func aFolderThatIsAFileIsUnavailable() async throws {
        try write([], to: folder)
        for path in [folder, folder + "/below"] {
            await #expect { try await FileKeyValueStore.open(at: path) } throws: {
                ($0 as? StoreError)?.code == .unavailable
            }
        }
    }

    @Test func aFolderThatIsGoneIsUnavailableToWriters() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try files.removeItem(atPath: folder)
        await #expect { try await store.set([1], for: "x") } throws: { ($0 as? StoreError)?.code == .unavailable }
        await #expect { try await store.keys(withPrefix: "") } throws: { ($0 as? StoreError)?.code == .unavailable }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aFolderWithoutPermissionIsUnavailable() async throws {
        let store = try await FileKeyValueStore.open(at: folder)
        try await store.set([1], for: "x")
        try files.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        await #expect { try await store.set([2], for: "x") } throws: { ($0 as? StoreError)?.code == .unavailable }
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        #expect(try await store.value(for: "x") == [1])
    }

    @Test(arguments: [ENOSPC, EDQUOT, EACCES, EROFS, EIO])
    func fullDiskIsDistinguishedFromOtherErrors(code: Int32) {
        let error = StoreError.disk(code, doing: "write", "/x")
        #expect(error.code == ([ENOSPC, EDQUOT].contains(code) ? .full : .unavailable))
        #expect(error.message.contains("/x"))
    }
}
