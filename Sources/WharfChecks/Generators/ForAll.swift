/// Runs `body` on many inputs, and finds the smallest for which it throws. A ``Law`` does so for
/// every conformer of a contract.
///
/// ```swift
/// @Test func whatIsWrittenIsReadAsItWas() async throws {
///     try await forAll(.string()) { text in
///         let read = try Name(Name(text).written)
///         try require(read.text == text, "read \(read)")
///     }
/// }
/// ```
///
/// What the body expects it says by ``require(_:_:)``: `#expect` and `#require` would record an
/// issue for each of the inputs that are tried while a failing one is made smaller.
///
/// - Parameters:
///   - runs: how many inputs are tried; `WHARF_RUNS` counts in its place.
///   - seed: of the first input. Nil for `WHARF_SEED`, and where that is not set for one that
///     follows from `name`, so that each run of a test tries the same.
/// - Throws: ``Counterexample``; ``GenerationError`` when there are no inputs; `CancellationError`
///   when the task is cancelled before an input has failed.
public func forAll<Input>(
    _ inputs: Generator<Input>, runs: Int = 100, seed: UInt64? = nil, name: String = #function,
    _ body: (Input) async throws -> Void
) async throws {
    let replay = try Replay()
    let first = seed ?? replay.seed ?? Seeds.first(for: name)
    var seeds = Seeds(first, count: replay.runs ?? runs)
    while let seed = try seeds.next() {
        try Task.checkCancellation()
        var choices = Choices(seed: seed)
        let input = try choices.value(of: inputs)
        seeds.take(input != nil)
        guard let input, let found = try await failure(of: body, input) else { continue }
        var shrinker = Shrinker(
            .init(recording: choices.recording, input: Counterexample.describe(input), found: found))
        do {
            try await shrinker.shrink { script in
                var choices = Choices(script)
                guard let input = try choices.value(of: inputs) else { return nil }
                return try await failure(of: body, input).map {
                    .init(recording: choices.recording, input: Counterexample.describe(input), found: $0)
                }
            }
        } catch is CancellationError {
            // What has failed is reported as small as it is by now.
        }
        throw Counterexample(
            input: shrinker.smallest.input, found: shrinker.smallest.found, seed: seed, tried: seeds.taken,
            shrinks: shrinker.steps)
    }
}

/// What was found in place of what should be; nil when the body holds.
///
/// - Throws: `CancellationError` when the task is cancelled, whatever the body says then.
private func failure<Input>(of body: (Input) async throws -> Void, _ input: Input) async throws -> String? {
    do {
        try await body(input)
        try Task.checkCancellation()
        return nil
    } catch {
        try Task.checkCancellation()
        return Broken(error).found
    }
}
