import WharfJSON

/// The record of the calls that one value's `init(from:)` made to its decoder, with their results.
///
/// A type is run again with one more failed call filled each time. Its earlier calls get the
/// recorded answers, so no nested value is decoded twice.
final class Calls {
    struct Question: Hashable {
        enum Operation { case isNil, value, object, array }

        let operation: Operation
        /// The id of the container's value in the document.
        let node: Int
        let place: Place
        let type: ObjectIdentifier

        enum Place: Hashable { case itself, key(String), index(Int) }
    }

    private struct Answer {
        let question: Question
        let outcome: any Outcome
        var isFilled = false
    }

    /// The type made another call than in the run with other stand-ins.
    private struct Divergence: Error {}

    // During a run:
    // - `answers[..<next]` are the answers that this run has got, in order.
    // - `failed` has the indices of those that threw, except in trials, which leave it alone.
    // - A stand-in is used exactly for the answers with `isFilled`.
    private var answers: [Answer] = []
    private var next = 0
    /// The calls of this run that threw.
    private var failed: [Int] = []
    /// The objects that the type has opened.
    private(set) var objects: [JSONNodeDecoder] = []
    /// Whether the type has opened an object or array.
    ///
    /// Such a type may have more errors than the one about a single value.
    private(set) var opensContainer = false
    /// The number of the alternative stand-in in use; nil outside of trials.
    private var trial: Int?
    private var hasDiverged = false

    func begin() {
        next = 0
        failed = []
    }

    func opened(_ object: JSONNodeDecoder) { objects.append(object) }

    func answer<Value>(_ question: Question, _ examine: () -> Examined<Value>) throws -> Value {
        if question.operation == .object || question.operation == .array { opensContainer = true }
        let index = next
        next += 1
        if index >= answers.count || answers[index].question != question {
            if trial != nil {
                hasDiverged = true
                throw Divergence()
            }
            // The type took another way than before, so the recorded answers after this call are
            // worthless.
            answers.removeSubrange(index...)
            var answer = Answer(question: question, outcome: examine())
            answer.isFilled = answer.outcome.canStandIn && fails(question, likeBefore: index)
            answers.append(answer)
        }
        let answer = answers[index]
        guard let outcome = answer.outcome as? Examined<Value> else {
            preconditionFailure("the outcome must have the type that the question names")
        }
        if let failure = outcome.failure, !answer.isFilled {
            if trial == nil { failed.append(index) }
            throw failure
        }
        if let trial, answer.isFilled, !outcome.alternatives.isEmpty {
            return outcome.alternatives[trial % outcome.alternatives.count]
        }
        // A call that did not fail has a value, and `fill` accepts only calls with a stand-in.
        return outcome.value.unsafelyUnwrapped
    }

    /// Whether an element fails like the two before it, whose errors the type rethrew.
    ///
    /// The type is assumed to treat further elements alike, which saves one run per element.
    private func fails(_ question: Question, likeBefore index: Int) -> Bool {
        guard case .index(let element) = question.place, index >= 2 else { return false }
        return (1...2).allSatisfy { step in
            let before = answers[index - step]
            return before.isFilled && before.question.place == .index(element - step)
                && before.question.node == question.node && before.question.type == question.type
        }
    }
}

extension Calls {
    /// Returns the call whose error left the type.
    func index(of error: any Error) -> Int? {
        failed.last { index in
            answers[index].outcome.failure.map { isSame($0, error) } ?? false
        }
    }

    /// Returns the faults found by a call.
    func findings(at index: Int) -> [Finding] { answers[index].outcome.findings }

    /// Whether the call opened the value itself as an object or array.
    func opened(_ node: JSONNodeDecoder, at index: Int) -> Bool {
        let question = answers[index].question
        return question.node == node.id && question.place == .itself
            && (question.operation == .object || question.operation == .array)
    }

    /// Answers the call with a stand-in from now on.
    ///
    /// - Returns: false if there is no stand-in.
    func fill(_ index: Int) -> Bool {
        guard answers[index].outcome.canStandIn else { return false }
        answers[index].isFilled = true
        return true
    }

    /// Returns the findings of calls that were filled without a run of their own.
    func takeFilledAtOnce(_ reported: inout Set<Int>) -> [Finding] {
        answers.indices.filter { answers[$0].isFilled && reported.insert($0).inserted }
            .flatMap { answers[$0].outcome.findings }
    }

    /// Whether the type makes the same calls for every choice of stand-ins.
    ///
    /// Otherwise its calls may depend on them.
    ///
    /// - Parameter run: runs the type once more.
    func isIndependent(_ run: () -> Void) -> Bool {
        let asked = next
        let count = answers.prefix(asked).lazy.filter(\.isFilled).map(\.outcome.alternativeCount).max() ?? 0
        // Trials must leave no trace: the caller goes on with the run before them.
        defer { (next, trial, hasDiverged) = (asked, nil, false) }
        return (0..<count).allSatisfy { alternative in
            (next, trial, hasDiverged) = (0, alternative, false)
            run()
            // Fewer calls are a divergence too: the type left early.
            return !hasDiverged && next == asked
        }
    }

    /// Compares by content, because a type may rethrow an error, or catch it and throw another.
    private func isSame(_ left: any Error, _ right: any Error) -> Bool {
        guard let left = left as? DecodingError, let right = right as? DecodingError else {
            return type(of: left) == type(of: right) && String(reflecting: left) == String(reflecting: right)
        }
        return left.context.debugDescription == right.context.debugDescription
            && left.context.codingPath.elementsEqual(right.context.codingPath) { $0.stringValue == $1.stringValue }
    }
}

extension DecodingError {
    /// The context, which every case has.
    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
