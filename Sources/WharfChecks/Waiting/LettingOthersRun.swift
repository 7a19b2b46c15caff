/// Lets other tasks run until `condition` holds, or they had so many chances and 20 ms: puts what they do between two steps of
/// this one, and comes before a look at what must not have happened.
///
/// For conformers that are wrong by taking two steps. Where nobody else is at work it returns after that. The time is for a
/// busy machine, which may take the processor from others while this one counts its chances.
package func letOthersRun(chances: Int = 200, until condition: () -> Bool) async {
    let end = ContinuousClock.now + .milliseconds(20)
    var chances = chances
    while chances > 0 || ContinuousClock.now < end {
        if condition() { return }
        chances -= 1
        await Task.yield()
    }
}

/// Lets other tasks run until it is so: for what must come. A test's time limit ends it where it never does.
package func waitUntil(_ isSo: () -> Bool) async {
    while !isSo(), !Task.isCancelled { await Task.yield() }
}
