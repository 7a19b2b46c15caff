internal import WharfCore
internal import WharfPlayback

/// The shown code and the valid keys, as a value.
struct PairingState {
    struct ShownCode {
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

    /// The maximum number of keys. A further key replaces the oldest.
    static let keyLimit = 16

    // Invariants between two calls:
    // - A code gives one key at most: `accept` removes it.
    // - `attempts` only decreases while a code is shown.
    // - There are at most `keyLimit` keys.
    private var shown: ShownCode?
    /// The keys, oldest first.
    private var keys: [Key] = []

    /// The code that a controller can pair with; nil if there is none.
    var code: PairingCode? {
        guard let shown, shown.attempts > 0, shown.deadline.remaining() > .zero else { return nil }
        return shown.code
    }

    /// The number of valid keys.
    var keyCount: Int { keys.count { $0.deadline.remaining() > .zero } }

    mutating func show(_ code: PairingCode, attempts: Int, until deadline: Deadline) {
        shown = ShownCode(code: code, attempts: attempts, deadline: deadline)
    }

    mutating func hide() { shown = nil }

    /// Uses up one attempt. Call it before the proof is checked, so that concurrent attempts cannot
    /// exceed the limit.
    ///
    /// - Returns: the code to prove; nil if none is valid.
    mutating func attempt() -> PairingCode? {
        guard let code else { return nil }
        shown?.attempts -= 1
        return code
    }

    /// Returns the remaining attempts for a code; 0 for a code that is no longer shown.
    func attempts(for code: PairingCode) -> Int { shown?.code == code ? shown?.attempts ?? 0 : 0 }

    /// Stores a key and removes the code, because each code gives one key.
    ///
    /// - Returns: false if the code is no longer shown. Then another controller has used it
    ///   concurrently.
    mutating func accept(_ key: Key, by code: PairingCode) -> Bool {
        // The lock was free during the derivation. Another code may be shown by now.
        guard let shown, shown.code == code, shown.deadline.remaining() > .zero else { return false }
        self.shown = nil
        keys.removeAll { $0.deadline.remaining() <= .zero }
        keys.append(key)
        if keys.count > Self.keyLimit { keys.removeFirst() }
        return true
    }

    mutating func forgetKeys() { keys = [] }

    /// Returns the HMAC of a key; nil if the key is unknown or expired.
    func hmac(of id: String) -> HMAC? { keys.first { $0.id == id && $0.deadline.remaining() > .zero }?.hmac }

    /// Records the counter of a request whose code has been verified.
    ///
    /// - Returns: false for a replayed counter, and for an expired key.
    mutating func take(_ counter: UInt64, of id: String) -> Bool {
        guard let index = keys.firstIndex(where: { $0.id == id && $0.deadline.remaining() > .zero }) else {
            return false
        }
        return keys[index].window.take(counter)
    }
}
