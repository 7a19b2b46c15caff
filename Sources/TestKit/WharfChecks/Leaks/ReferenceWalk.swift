internal import Observation

/// The references of an object that reflection finds.
struct ReferencePaths: Sendable {
    /// The shortest cycle, such as "Presenter.screen → Screen.presenter → Presenter".
    var cycle: String?
    /// The paths to the objects that were looked for.
    var found: [ObjectIdentifier: String] = [:]
    /// The properties that it could not read, such as "Presenter.onTap (a closure)".
    var hidden: [String] = []
}

/// Follows the strong references of an object by reflection, breadth first.
///
/// It reads stored properties only, and runs no getter and no `customMirror`. A limit on the number
/// of values bounds its time, and the objects that it keeps alive meanwhile.
struct ReferenceWalk {
    /// A value, and the step that led to it from another.
    private struct Stop {
        let value: Any
        let step: String
        let previous: Int?
    }

    private(set) var paths = ReferencePaths()
    private let root: AnyObject
    private let others: Set<ObjectIdentifier>
    private var stops: [Stop] = []
    private var visited: Set<ObjectIdentifier> = []

    private static let stopLimit = 10_000
    private static let hiddenLimit = 5

    init(from root: AnyObject, lookingFor others: Set<ObjectIdentifier>) {
        self.root = root
        self.others = others
        // The root is never walked again, so the first path back to it is the shortest cycle.
        visited.insert(ObjectIdentifier(root))
        add(root, "\(type(of: root))", after: nil)
        look(into: 0)
        var next = 1
        while next < min(stops.count, Self.stopLimit) {
            // The dynamic type decides: a cast to `AnyObject` may succeed for any value, by boxing
            // it.
            if type(of: stops[next].value) is AnyObject.Type {
                come(to: stops[next].value as AnyObject, at: next)
            } else {
                look(into: next)
            }
            next += 1
        }
    }

    private mutating func come(to object: AnyObject, at stop: Int) {
        let name = " → \(type(of: object))"
        let identity = ObjectIdentifier(object)
        if object === root, paths.cycle == nil { paths.cycle = path(to: stop) + name }
        // Each object is walked once. Without it a cycle that leaves out the root would never end.
        guard visited.insert(identity).inserted else { return }
        if others.contains(identity) { paths.found[identity] = path(to: stop) + name }
        add(object, name, after: stop)
        look(into: stops.count - 1)
    }

    private mutating func look(into stop: Int) {
        let value = stops[stop].value
        if let kind = hiddenKind(of: value) {
            if paths.hidden.count < Self.hiddenLimit { paths.hidden.append("\(path(to: stop)) (\(kind))") }
        } else if let container = value as? any ReflectedContainer {
            for element in container.reflectedElements(limit: Self.stopLimit - stops.count) {
                add(element.value, element.step, after: stop)
            }
        } else if !(value is any CustomReflectable) {
            for property in strongProperties(of: value) { add(property.value, ".\(property.name)", after: stop) }
        }
    }

    private func hiddenKind(of value: Any) -> String? {
        if value is any RunningTask { return "a task" }
        if value is ObservationRegistrar { return "its observers" }
        if value is any CustomReflectable { return nil }
        // A closure is the only kind of value without a display style whose type contains an arrow.
        if Mirror(reflecting: value).displayStyle == nil, "\(type(of: value))".contains("->") { return "a closure" }
        return nil
    }

    private mutating func add(_ value: Any, _ step: String, after previous: Int?) {
        stops.append(Stop(value: value, step: step, previous: previous))
    }

    /// The steps in order, or the first and last ones if there are very many.
    private func path(to stop: Int) -> String {
        var steps: [String] = []
        var next: Int? = stop
        while let stop = next {
            steps.append(stops[stop].step)
            next = stops[stop].previous
        }
        steps.reverse()
        return steps.count <= 40 ? steps.joined() : steps.prefix(20).joined() + " … " + steps.suffix(20).joined()
    }
}

private protocol RunningTask {}
extension Task: RunningTask {}
