/// The reports of processes, the requests seen by receivers, and the promises that they break.
///
/// Processes of one round run at the same time. The next round begins when all of them have ended
/// or are dead.
struct Ledger: Sendable {
    /// An entry that a process has enqueued, with its serial number among that process's entries of
    /// the lane.
    struct Entry: Hashable, Sendable, CustomStringConvertible {
        let lane: Int
        let process: Int
        let serial: Int

        var description: String { "\(lane) \(process) \(serial)" }

        init(lane: Int, process: Int, serial: Int) {
            (self.lane, self.process, self.serial) = (lane, process, serial)
        }

        /// Parses the description of an entry.
        init?(_ text: some StringProtocol) {
            let numbers = text.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            self.init(lane: numbers[0], process: numbers[1], serial: numbers[2])
        }
    }

    /// A call of a destination as its receiver saw it.
    private struct Request {
        let destination: String
        let sender: Int
        let entries: [Entry]
    }

    private struct LastAnswer {
        let sender: Int
        let isGood: Bool
    }

    private struct Again: Hashable {
        /// The process that was killed after the answer.
        let process: Int
        let destination: String
        let lane: Int
    }

    /// The largest number of entries in one call.
    private let batches = ["api": 1, "mirror": 4]
    private var rounds: [Int: Int] = [:]
    private var over: Set<Int> = []
    private var killed: Set<Int> = []
    private var killedRounds: Set<Int> = []
    private var begun: Set<Entry> = []
    private(set) var acknowledged: Set<Entry> = []
    private var requests: [Request] = []
    private var inFlight: Set<Int> = []
    private var last: [String: [Entry: LastAnswer]] = [:]
    private var again: [Again: Int] = [:]
    /// The effects in order, by destination.
    private var effects: [String: [Entry]] = [:]
    /// Faults that were found as they happened.
    private(set) var faults: [String] = []
    /// Faults unless another process of the round was killed. A living process may take over the
    /// lanes of a killed one before the ledger knows of the kill.
    private var suspicions: [(process: Int, fault: String)] = []

    /// The number of entries that were sent again after a kill, although they had been answered.
    var sentAgain: Int { again.values.reduce(0, +) }

    /// The number of requests that have arrived at a destination.
    func arrivals(at destination: String) -> Int { requests.count { $0.destination == destination } }

    // MARK: Processes

    mutating func starts(_ process: Int, round: Int) { rounds[process] = round }

    /// - Parameter lines: the output of the process.
    mutating func ends(_ process: Int, saying lines: [String], killed: Bool) {
        over.insert(process)
        if killed {
            self.killed.insert(process)
            rounds[process].map { _ = killedRounds.insert($0) }
        }
        for line in lines {
            if line.hasPrefix("begins ") { begun.formUnion(Entry(line.dropFirst(7)).map { [$0] } ?? []) }
            if line.hasPrefix("enqueued ") { acknowledged.formUnion(Entry(line.dropFirst(9)).map { [$0] } ?? []) }
        }
    }

    // MARK: Receivers

    /// - Returns: the number of the request.
    mutating func arrives(_ entries: [Entry], at destination: String, from sender: Int) -> Int {
        let number = requests.count
        requests.append(Request(destination: destination, sender: sender, entries: entries))
        defer { inFlight.insert(number) }
        // A request of a process may be read after the process's death.
        guard !over.contains(sender), let round = rounds[sender], let lane = entries.first?.lane else {
            return number
        }
        let others = inFlight.map { requests[$0] }.filter { $0.destination == destination && !over.contains($0.sender) }
        for other in others where other.entries.contains(where: { $0.lane == lane }) {
            let fault =
                "\(entries) came to \(destination) from \(sender) while \(other.entries) from \(other.sender) was on its way"
            if other.sender == sender { faults.append(fault) } else { suspicions.append((other.sender, fault)) }
        }
        for entry in entries {
            guard let last = last[destination]?[entry], last.isGood else { continue }
            // A repetition is excused by one kill only. A further one needs another kill.
            self.last[destination]?[entry] = LastAnswer(sender: sender, isGood: true)
            let fault = "\(entry) was sent again to \(destination) by \(sender), without a kill"
            if last.sender != sender, rounds[last.sender] == round {
                suspicions.append((last.sender, fault))
            } else if rounds[last.sender].map({ $0 >= round || !killedRounds.contains($0) }) == true {
                faults.append(fault)
                continue
            }
            again[Again(process: last.sender, destination: destination, lane: lane), default: 0] += 1
        }
        return number
    }

    /// - Parameter isGood: whether the answer that is sent is a success.
    mutating func leaves(_ number: Int, isGood: Bool) {
        inFlight.remove(number)
        let request = requests[number]
        guard !over.contains(request.sender) else { return }
        for entry in request.entries {
            last[request.destination, default: [:]][entry] = LastAnswer(sender: request.sender, isGood: isGood)
        }
    }

    mutating func has(_ entry: Entry, effectAt destination: String) {
        effects[destination, default: []].append(entry)
    }

    mutating func refuses(_ entry: Entry, at destination: String) {
        faults.append("\(entry) came to \(destination) with other bytes under its key")
    }

    // MARK: The verdict

    /// The broken promises, once all entries are delivered.
    ///
    /// - Parameter rows: for each lane, the entity that the last commit has left.
    func violations(rows: [Entry]) -> [String] {
        var found = faults + suspicions.filter { !killed.contains($0.process) }.map { $0.fault }
        for destination in batches.keys.sorted() {
            let effects = effects[destination] ?? []
            let once = Set(effects)
            for entry in acknowledged where !once.contains(entry) {
                found.append("\(entry) never came to \(destination)")
            }
            for entry in once.subtracting(begun) {
                found.append("\(entry) came to \(destination), and nobody has enqueued it")
            }
            if once.count < effects.count {
                found.append("\(effects.count - once.count) effects twice at \(destination)")
            }
            found += disorder(effects, at: destination)
            for row in rows where effects.last(where: { $0.lane == row.lane }) != row {
                found.append("the entity of lane \(row.lane) is \(row), which is not the last at \(destination)")
            }
        }
        for (place, count) in again where count > batches[place.destination] ?? 0 {
            found.append(
                "\(count) of lane \(place.lane) were sent again to \(place.destination) after process \(place.process)")
        }
        return found
    }

    private func disorder(_ effects: [Entry], at destination: String) -> [String] {
        var found: [String] = []
        var serials: [[Int]: Int] = [:]
        var latest: [Int: Int] = [:]
        for entry in effects {
            let round = rounds[entry.process] ?? 0
            if entry.serial <= serials[[entry.lane, entry.process]] ?? -1 || round < latest[entry.lane] ?? 0 {
                found.append("\(entry) came to \(destination) after those behind it")
            }
            serials[[entry.lane, entry.process]] = entry.serial
            latest[entry.lane] = max(round, latest[entry.lane] ?? 0)
        }
        return found
    }
}
