internal import WharfCore
internal import WharfPlayback

/// The code that is shown and the keys that were given, as a value.
struct PairingState {
    struct Shown {
        var code: PairingCode
        var attempts: Int
        var deadline: Deadline
    }

    struct Key {
        var id: String
        var hmac: HMAC
        var deadline: Deadline
        var window = ReplayWindow()
    }

    /// The number of keys that are kept. One more takes the place of the oldest.
    static let keyLimit = 16

    private var shown: Shown?
    /// The oldest first.
    private var keys: [Key] = []

    /// The code that a controller can pair with; nil for none.
    var code: PairingCode? {
        guard let shown, shown.attempts > 0, shown.deadline.remaining() > .zero else { return nil }
        return shown.code
    }

    /// The number of keys that are valid.
    var keyCount: Int { keys.count { $0.deadline.remaining() > .zero } }

    mutating func show(_ code: PairingCode, attempts: Int, until deadline: Deadline) {
        shown = Shown(code: code, attempts: attempts, deadline: deadline)
    }

    mutating func hide() { shown = nil }

    /// Uses one attempt up, before the proof is computed. Attempts at one time can't exceed the
    /// limit so.
    ///
    /// - Returns: the code to prove; nil when none is valid.
    mutating func attempt() -> PairingCode? {
        guard let code else { return nil }
        shown?.attempts -= 1
        return code
    }

    /// The attempts that are left for a code; 0 for one that is shown no more.
    func attempts(for code: PairingCode) -> Int { shown?.code == code ? shown?.attempts ?? 0 : 0 }

    /// Keeps a key, and takes the code away: a code gives one key.
    ///
    /// - Returns: false when the code is shown no more. Two controllers had it at once then, and
    ///   this one was second.
    mutating func accept(_ key: Key, by code: PairingCode) -> Bool {
        guard let shown, shown.code == code, shown.deadline.remaining() > .zero else { return false }
        self.shown = nil
        keys.removeAll { $0.deadline.remaining() <= .zero }
        keys.append(key)
        if keys.count > Self.keyLimit { keys.removeFirst() }
        return true
    }

    mutating func forgetKeys() { keys = [] }

    /// The key of an id; nil for one that is unknown or over.
    func hmac(of id: String) -> HMAC? { keys.first { $0.id == id && $0.deadline.remaining() > .zero }?.hmac }

    /// Takes the counter of a request whose code was verified.
    ///
    /// - Returns: false for a replay, and when the key is over.
    mutating func take(_ counter: UInt64, of id: String) -> Bool {
        guard let index = keys.firstIndex(where: { $0.id == id && $0.deadline.remaining() > .zero }) else {
            return false
        }
        return keys[index].window.take(counter)
    }
}
