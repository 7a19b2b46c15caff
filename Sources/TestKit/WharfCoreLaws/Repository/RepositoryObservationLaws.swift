internal import WharfChecks
internal import WharfCore
internal import WharfFakes

extension RepositoryLaws {
    static let sequenceStartsWithWhatIsKnown = Law<Subject>(
        "an observer gets the kept value at once, then the answer of the network"
    ) { subject in
        let stage = Stage(subject, .models([new]))
        let gate = Gate()
        stage.source.answer(.models([new]), gate: gate)
        let now = stage.clock.wall.now()
        stage.source.keep([old], asOf: now - .seconds(100), staleAt: now - .seconds(40))
        var snapshots = stage.repository.observe(id: 1, policy: nil).makeAsyncIterator()
        let first = try require(await snapshots.next(isolation: nil), "the sequence ended before its first snapshot")
        try require(first.value == old, "the first value is \(String(describing: first.value))")
        try require(first.fetch == .refreshing, "the first snapshot does not say that a refresh is under way")
        gate.open()
        let second = try require(await snapshots.next(isolation: nil), "the sequence ended after its first snapshot")
        try require(second.value == new, "the second value is \(String(describing: second.value))")
        try require(second.fetch == .idle && second.error == nil, "the second snapshot is \(second)")
    }

    static let sequenceSurvivesFailures = Law<Subject>(
        "an observer continues after a failure, with the value beside it"
    ) {
        subject in
        let stage = Stage(subject, .models([new]))
        let gate = Gate()
        stage.source.answer(.failure(unreachable), gate: gate)
        let now = stage.clock.wall.now()
        stage.source.keep([old], asOf: now - .seconds(100), staleAt: now - .seconds(40))
        var snapshots = stage.repository.observe(id: 1, policy: nil).makeAsyncIterator()
        _ = await snapshots.next(isolation: nil)
        gate.open()
        let failed = try require(await snapshots.next(isolation: nil), "the sequence ended with the failure")
        try require(failed.error == unreachable, "the error is \(String(describing: failed.error))")
        try require(failed.value == old, "the failure took the value away: \(String(describing: failed.value))")
        stage.source.answer(.models([new]))
        _ = await stage.repository.snapshot(id: 1, policy: .networkFirst)
        let next = try require(await snapshots.next(isolation: nil), "the sequence ended after the failure")
        try require(next.value == new && next.error == nil, "after the failure came \(next)")
    }

    static let everySequenceSettles = Law<Subject>(
        "an observer is never left refreshing after its refresh has ended, even without an answer"
    ) { subject in
        // A cancelled request is no answer at all, and yet the refresh is over.
        for code in [ReadFailure.Code.cancelled, .connectionFailed] {
            let stage = Stage(subject, .failure(ReadFailure(code, message: "scripted")))
            for policy in ReadPolicy.all {
                var snapshots = stage.repository.observe(id: 1, policy: policy).makeAsyncIterator()
                var seen = try require(await snapshots.next(isolation: nil), "\(policy.name) ended at once")
                while seen.fetch == .refreshing {
                    seen = try require(await snapshots.next(isolation: nil), "\(policy.name) ended while refreshing")
                }
                let expected: ReadFailure.Code = policy == .cacheOnly ? .nothingKept : code
                try require(seen.error?.code == expected, "\(policy.name) settled with \(seen)")
            }
        }
    }

    static let networkOnlyObserversSeeNoKeptValue = Law<Subject>(
        "a networkOnly observer gets no kept value with a failure"
    ) { subject in
        let stage = Stage(subject, .failure(unreachable))
        let now = stage.clock.wall.now()
        stage.source.keep([old], asOf: now - .seconds(100), staleAt: now - .seconds(40))
        // Read once, so that the repository has the kept value and might show it.
        _ = await stage.repository.snapshot(id: 1, policy: .cacheOnly)
        var snapshots = stage.repository.observe(id: 1, policy: .networkOnly).makeAsyncIterator()
        var seen = try require(await snapshots.next(isolation: nil), "the sequence ended at once")
        while seen.fetch == .refreshing {
            try require(seen.kept == nil, "while refreshing it showed \(seen)")
            seen = try require(await snapshots.next(isolation: nil), "the sequence ended while refreshing")
        }
        try require(seen.kept == nil && seen.error == unreachable, "it settled with \(seen)")
    }

    static let readsReachObservers = Law<Subject>("a read updates the observers of its model") {
        subject in
        let stage = Stage(subject, .models([old]))
        var snapshots = stage.repository.observe(id: 1, policy: .networkOnly).makeAsyncIterator()
        var seen = try require(await snapshots.next(isolation: nil), "the sequence ended at once")
        while seen.fetch == .refreshing {
            seen = try require(await snapshots.next(isolation: nil), "the sequence ended while refreshing")
        }
        try require(seen.value == old, "the observed value is \(String(describing: seen.value))")
        stage.source.answer(.models([new]))
        _ = await stage.repository.snapshot(id: 1, policy: .networkOnly)
        let news = try require(await snapshots.next(isolation: nil), "the sequence ended")
        try require(news.value == new, "the observer got \(String(describing: news.value))")
    }
}
