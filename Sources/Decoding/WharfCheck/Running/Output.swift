/// Writes the report in blocks, and the progress of the run to a terminal.
final class Output {
    struct Failure: Error {
        let reason: Descriptor.Failure
    }

    private let descriptor: Descriptor
    private var buffer: [UInt8] = []
    private let progress: Descriptor?
    private let now: () -> Duration
    private var started = Duration.zero
    private var drawn: Duration?
    private var expected: Int?
    private var done = 0
    private var isShown = false

    /// - Parameters:
    ///   - progress: a terminal; nil if no progress is shown.
    ///   - now: a monotonic clock.
    init(_ descriptor: Descriptor, progress: Descriptor?, now: @escaping () -> Duration) {
        self.descriptor = descriptor
        self.progress = progress
        self.now = now
    }

    func write(_ text: String) throws(Failure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 1 << 16 { try flush() }
    }

    func flush() throws(Failure) {
        guard !buffer.isEmpty else { return }
        // The report may go to the terminal that shows the progress.
        clearProgress()
        do throws(Descriptor.Failure) { try descriptor.write(buffer) } catch { throw Failure(reason: error) }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension Output {
    /// - Parameter size: the size of an input in bytes; nil if it is not known.
    func beginProgress(of size: Int?) {
        (expected, done, started, drawn) = (size, 0, now(), nil)
    }

    func advance(by bytes: Int, _ totals: Totals) {
        done += bytes
        guard let progress else { return }
        let time = now()
        // For a shorter run the line would only flicker.
        guard time - started > .milliseconds(300), drawn.map({ time - $0 > .milliseconds(100) }) ?? true else { return }
        drawn = time
        isShown = true
        try? progress.write(Array("\r\u{1B}[K\(line(totals))".utf8))
    }

    private func line(_ totals: Totals) -> String {
        let megabytes = "\(done / 1_000_000) MB"
        let share = expected.flatMap { $0 > 0 ? "\(min(100, done * 100 / $0))%, " : nil } ?? ""
        return "\(share)\(megabytes), \(totals.documents) documents, \(totals.errors) errors"
    }

    func clearProgress() {
        guard isShown, let progress else { return }
        isShown = false
        try? progress.write(Array("\r\u{1B}[K".utf8))
    }
}
