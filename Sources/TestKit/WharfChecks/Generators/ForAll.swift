/// Runs `body` on many inputs, and finds the smallest one for which it throws.
///
/// A ``Law`` does the same for every conformer of a contract.
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
/// The body states its expectations by ``require(_:_:)``. `#expect` and `#require` would record an
/// issue for each input that is tried while a failing one is made smaller.
///
/// - Parameters:
///   - runs: the number of inputs. `WHARF_RUNS` overrides it.
///   - seed: the seed of the first input. If it is nil, `WHARF_SEED` is used. Without that, the
///     seed depends on `name` only, so that each run of a test tries the same inputs.
/// - Throws: ``Counterexample``. ``GenerationError`` if there are no inputs. `CancellationError` if
///   the task is cancelled before an input has failed.
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
        // Rejected inputs do not count as runs.
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
            // The failure is reported with the smallest input found so far.
        }
        throw Counterexample(
            input: shrinker.smallest.input, found: shrinker.smallest.found, seed: seed, tried: seeds.taken,
            shrinks: shrinker.steps)
    }
}

/// Returns a description of the failure, or nil if the body succeeds.
///
/// - Throws: `CancellationError` if the task is cancelled, regardless of the body's result.
private func failure<Input>(of body: (Input) async throws -> Void, _ input: Input) async throws -> String? {
    do {
        try await body(input)
        try Task.checkCancellation()
        return nil
    } catch {
        try Task.checkCancellation()
        return FailedRequirement(error).found
    }
}
