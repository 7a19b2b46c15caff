import Synchronization
import WharfCore
import WharfStorage

/// A response that is being written.
final class OpenText: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var pieces = 0
        var isOpen = true
    }

    let key: CacheKey
    let head: StoredHead
    private let state = Mutex(State())

    init(_ key: CacheKey, _ head: StoredHead) { (self.key, self.head) = (key, head) }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var pieces: Int { state.withLock { $0.pieces } }
    /// Whether the response is neither committed, abandoned nor refused. It stays open if its
    /// writer was only released.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    func append(_ bytes: [UInt8]) {
        state.withLock { state in
            state.bytes += bytes
            state.pieces += 1
        }
    }

    func end() { state.withLock { $0.isOpen = false } }
}

/// All responses that were begun.
final class OpenTexts: Sendable {
    private struct Entry {
        let text: OpenText
        weak var writer: WrongCacheWriter?
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ writer: WrongCacheWriter) {
        entries.withLock { entries in
            entries.removeAll { !$0.text.isOpen }
            entries.append(Entry(text: writer.text, writer: writer))
        }
    }

    func open(_ key: CacheKey) -> [OpenText] {
        entries.withLock { $0.filter { $0.text.isOpen && $0.text.key == key && $0.writer != nil }.map(\.text) }
    }

    /// Returns the open responses whose writers are released, each once.
    func takeLetGo() -> [OpenText] {
        let gone = entries.withLock { entries in
            let gone = entries.filter { $0.text.isOpen && $0.writer == nil }.map(\.text)
            entries.removeAll { $0.writer == nil }
            return gone
        }
        for text in gone { text.end() }
        return gone
    }
}
