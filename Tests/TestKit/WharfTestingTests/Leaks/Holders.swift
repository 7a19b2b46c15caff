import Dispatch
import Observation

/// An object that retains itself in one of six ways, until it is told to let go.
protocol Holder: AnyObject, SendableMetatype {
    init()
    /// Breaks the retain cycle. The tests call this through a weak reference once the leak is
    /// found.
    func letGo()
}

final class ClosureHolder: Holder {
    private var onTap: () -> Void = {}
    private var taps = 0
    init() { onTap = { self.taps += 1 } }
    func letGo() { onTap = {} }
}

final class DelegateHolder: Holder {
    final class Control { var delegate: DelegateHolder? }
    private let control = Control()
    init() { control.delegate = self }
    func letGo() { control.delegate = nil }
}

final class TimerHolder: Holder {
    private let timer = DispatchSource.makeTimerSource()
    private var ticks = 0
    init() {
        timer.setEventHandler { self.ticks += 1 }
        timer.schedule(deadline: .now() + 3_600, repeating: 3_600)
        timer.activate()
    }
    func letGo() {
        timer.setEventHandler {}
        timer.cancel()
    }
}

/// Unchecked: only the task uses the mutable state.
final class TaskHolder: Holder, @unchecked Sendable {
    private let values: AsyncStream<Int>.Continuation
    private var last: Int?
    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        values = continuation
        Task { for await value in stream { self.last = value } }
    }
    func letGo() { values.finish() }
}

/// Unchecked: each is changed on one thread alone.
@Observable final class Counter: @unchecked Sendable {
    var count = 0
}

/// Unchecked: the observed object changes on the thread that makes and releases this one.
final class ObservationHolder: Holder, @unchecked Sendable {
    private let counter = Counter()
    private var observes = true
    init() { observe() }
    private func observe() {
        withObservationTracking {
            _ = counter.count
        } onChange: {
            if self.observes { self.observe() }
        }
    }
    func letGo() {
        observes = false
        counter.count += 1
    }
}

final class PairHolder: Holder {
    final class Partner {
        let first: PairHolder
        init(_ first: PairHolder) { self.first = first }
    }
    private var partner: Partner?
    init() { partner = Partner(self) }
    func letGo() { partner = nil }
}

/// The correct versions of the six. They are released with their last variable, or when their task
/// has ended.
enum Clean: CaseIterable, Sendable {
    case closure, delegate, timer, task, observation, pair

    func make() -> AnyObject {
        switch self {
        case .closure: CleanClosure()
        case .delegate: CleanDelegate()
        case .timer: CleanTimer()
        case .task: CleanTask()
        case .observation: CleanObservation()
        case .pair: CleanPair()
        }
    }
}

private final class CleanClosure {
    private var onTap: () -> Void = {}
    private var taps = 0
    init() { onTap = { [weak self] in self?.taps += 1 } }
}

private final class CleanDelegate {
    final class Control { weak var delegate: CleanDelegate? }
    private let control = Control()
    init() { control.delegate = self }
}

private final class CleanTimer {
    private let timer = DispatchSource.makeTimerSource()
    private var ticks = 0
    init() {
        timer.setEventHandler { [weak self] in self?.ticks += 1 }
        timer.schedule(deadline: .now() + 3_600, repeating: 3_600)
        timer.activate()
    }
    deinit { timer.cancel() }
}

/// Its task holds it and ends by itself, often later than the test.
private final class CleanTask: Sendable {
    init() {
        Task(priority: .background) { [self] in
            for _ in 0..<3 { await touch() }
        }
    }
    private func touch() async { await Task.yield() }
}

private final class CleanObservation {
    private let counter = Counter()
    init() {
        withObservationTracking {
            _ = counter.count
        } onChange: { [weak counter] in
            _ = counter
        }
    }
}

private final class CleanPair {
    final class Partner {
        unowned let first: CleanPair
        init(_ first: CleanPair) { self.first = first }
    }
    private var partner: Partner?
    init() { partner = Partner(self) }
}

let holders: [any Holder.Type] = [
    ClosureHolder.self, DelegateHolder.self, TimerHolder.self, TaskHolder.self, ObservationHolder.self, PairHolder.self,
]
