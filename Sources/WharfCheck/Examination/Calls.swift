import WharfJSON

/// What one value's `init(from:)` asked its decoder, in order, each with what came of it.
///
/// A type is run again with one failed call filled at a time. What it asked before is answered as
/// before, so that no value below is decoded twice.
final class Calls {
    struct Question: Hashable {
        enum Operation { case isNil, value, object, array }

        let operation: Operation
        /// The container's value in the document.
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

    /// The type asked something that it had not asked when something else stood in.
    private struct Divergence: Error {}

    private var answers: [Answer] = []
    private var next = 0
    /// Those calls of this attempt that threw.
    private var failed: [Int] = []
    /// The objects that the type has looked into.
    private(set) var objects: [JSONNodeDecoder] = []
    /// The type has opened an object or array, so that it may have more to say than about one
    /// value.
    private(set) var opensContainer = false
    /// The alternative that stands in; nil outside of trials.
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
            answers.removeSubrange(index...)
            var answer = Answer(question: question, outcome: examine())
            answer.isFilled = answer.outcome.canStandIn && fails(question, likeBefore: index)
            answers.append(answer)
        }
        let answer = answers[index]
        guard let outcome = answer.outcome as? Examined<Value> else {
            preconditionFailure("a question names the type of its answer")
        }
        if let failure = outcome.failure, !answer.isFilled {
            if trial == nil { failed.append(index) }
            throw failure
        }
        if let trial, answer.isFilled, !outcome.alternatives.isEmpty {
            return outcome.alternatives[trial % outcome.alternatives.count]
        }
        // What has not failed has its value, and only what can stand in is filled.
        return outcome.value.unsafelyUnwrapped
    }

    /// Whether a type that reads element after element has let out the errors of the two before. It
    /// is taken to treat the others alike, and spared a run for each of them.
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
    /// The call whose error left the type.
    func index(of error: any Error) -> Int? {
        failed.last { index in
            answers[index].outcome.failure.map { isSame($0, error) } ?? false
        }
    }

    /// What is wrong at a call.
    func findings(at index: Int) -> [Finding] { answers[index].outcome.findings }

    /// Whether the call was to open the value itself as an object or array.
    func opened(_ node: JSONNodeDecoder, at index: Int) -> Bool {
        let question = answers[index].question
        return question.node == node.id && question.place == .itself
            && (question.operation == .object || question.operation == .array)
    }

    /// Answers the call from now on with what can stand in.
    ///
    /// - Returns: false where there is nothing that could.
    func fill(_ index: Int) -> Bool {
        guard answers[index].outcome.canStandIn else { return false }
        answers[index].isFilled = true
        return true
    }

    /// What was filled without a run of its own.
    func takeFilledAtOnce(_ told: inout Set<Int>) -> [Finding] {
        answers.indices.filter { answers[$0].isFilled && told.insert($0).inserted }
            .flatMap { answers[$0].outcome.findings }
    }

    /// Whether the type asks the same whichever values stand in: else what it asked may be due to
    /// them.
    ///
    /// - Parameter run: runs the type once more.
    func isIndependent(_ run: () -> Void) -> Bool {
        let asked = next
        let count = answers.prefix(asked).lazy.filter(\.isFilled).map(\.outcome.alternativeCount).max() ?? 0
        defer { (next, trial, hasDiverged) = (asked, nil, false) }
        return (0..<count).allSatisfy { alternative in
            (next, trial, hasDiverged) = (0, alternative, false)
            run()
            return !hasDiverged && next == asked
        }
    }

    /// A type may rethrow an error, or catch it and throw another.
    private func isSame(_ left: any Error, _ right: any Error) -> Bool {
        guard let left = left as? DecodingError, let right = right as? DecodingError else {
            return type(of: left) == type(of: right) && String(reflecting: left) == String(reflecting: right)
        }
        return left.context.debugDescription == right.context.debugDescription
            && left.context.codingPath.elementsEqual(right.context.codingPath) { $0.stringValue == $1.stringValue }
    }
}

extension DecodingError {
    /// Of any of its cases.
    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
