import Synchronization
import Testing

@testable import WharfChecks

/// The reasons for a leak that reflection finds.
@Suite struct ReferenceWalkTests {
    private class Base {
        var next: AnyObject?
        weak var delegate: AnyObject?
        unowned(unsafe) var owner: AnyObject?
    }

    private final class Node: Base {
        struct State {
            var nodes: [Node] = []
            var byName: [String: Node?] = [:]
            weak var selected: Node?
        }
        enum Phase { case idle, loaded(node: Node, count: Int) }

        var state = State()
        var phase = Phase.idle
        var pair: (Int, Node?) = (0, nil)
        var anything: Any = 0
        var onTap: (() -> Void)?
        var onNode: (Int) -> Node? = { _ in nil }
        var task: Task<Void, Never>?
        lazy var made: Node = self
        lazy var notMade: Node = self
        let locked = Mutex(0)
    }

    private func walk(_ change: (Node) -> Void) -> ReferencePaths {
        let node = Node()
        change(node)
        defer {
            node.next = nil
            node.state = .init()
            node.phase = .idle
            node.pair.1 = nil
            node.anything = 0
        }
        return ReferenceWalk(from: node, lookingFor: []).paths
    }

    @Test func cycleIsNamedThroughEveryKindOfHolder() {
        #expect(walk { $0.next = $0 }.cycle == "Node.next → Node")
        #expect(walk { $0.state.nodes = [Node(), $0] }.cycle == "Node.state.nodes[1] → Node")
        #expect(walk { $0.state.byName["a"] = $0 }.cycle == "Node.state.byName[…] → Node")
        #expect(walk { $0.phase = .loaded(node: $0, count: 1) }.cycle == "Node.phase.loaded.node → Node")
        #expect(walk { $0.pair.1 = $0 }.cycle == "Node.pair.1 → Node")
        #expect(walk { $0.anything = $0 }.cycle == "Node.anything → Node")
        #expect(walk { $0.anything = Set([ObjectKey(object: $0)]) }.cycle == "Node.anything[…].object → Node")
    }

    @Test func theShortestCycleIsNamed() {
        let found = walk { node in
            let far = Node()
            far.next = node
            node.state.nodes = [far]
            node.next = node
        }
        #expect(found.cycle == "Node.next → Node")
    }

    @Test func weakAndUnownedReferencesHoldNothing() {
        let found = walk { node in
            node.delegate = node
            node.owner = node
            node.state.selected = node
        }
        #expect(found.cycle == nil)
        #expect(found.hidden == ["Node.onNode (a closure)"])
    }

    @Test func anUnownedReferenceToAnObjectThatIsGoneIsNotRead() {
        final class Child { unowned var parent: Node; init(_ parent: Node) { self.parent = parent } }
        let child = Child(Node())
        #expect(ReferenceWalk(from: child, lookingFor: []).paths.cycle == nil)
    }

    @Test func lazyPropertiesAreNotMade() {
        #expect(walk { _ in }.cycle == nil)
        let node = Node()
        _ = node.made
        #expect(ReferenceWalk(from: node, lookingFor: []).paths.cycle == "Node.made → Node")
    }

    @Test func opaqueHoldersAreNamed() {
        let found = walk { node in
            node.onTap = {}
            node.task = Task {}
            node.anything = Counter()
        }
        #expect(
            found.hidden == [
                "Node.onNode (a closure)", "Node.task (a task)",
                "Node.anything → Counter._$observationRegistrar (its observers)", "Node.onTap (a closure)",
            ])
    }

    @Test func customMirrorIsNotUsed() {
        let found = walk { $0.anything = Shy() }
        #expect(found.cycle == nil)
    }

    @Test func aLongChainAndAWideArrayComeToAnEnd() {
        let first = Node()
        var nodes = [first]
        for _ in 0..<20_000 {
            let node = Node()
            nodes[nodes.count - 1].next = node
            nodes.append(node)
        }
        #expect(ReferenceWalk(from: first, lookingFor: []).paths.cycle == nil)
        first.state.nodes = nodes
        #expect(ReferenceWalk(from: first, lookingFor: []).paths.cycle == "Node.state.nodes[0] → Node")
        // Releases from the end, so that no object releases the next one recursively, in twenty
        // thousand frames.
        first.state.nodes = []
        while let last = nodes.popLast() { last.next = nil }
    }

    @Test func leakedHolderOfALeakIsNamed() async throws {
        let failures = Failures()
        let node = WeakReference<Node>()
        try await LeakScope.run(GracePeriod(duration: .zero, clock: ContinuousClock())) {
            let (holder, held) = (Node(), Node())
            node.refer(to: holder)
            track(held) { failures.add($0) }
            track(holder) { failures.add($0) }
            holder.next = holder
            holder.state.nodes = [held]
        }
        try #require(failures.messages.count == 2)
        #expect(failures.messages[0].hasSuffix("The object that holds it has leaked too: Node.state.nodes[0] → Node"))
        #expect(failures.messages[1].hasSuffix("It holds itself: Node.next → Node. Make one of these references weak"))
        node.object?.next = nil
    }

    @Test func theCycleOfAnActorIsNamed() async throws {
        actor Model {
            var onChange: (() -> Void)?
            var other: Model?
            func hold() { other = self }
            func letGo() { other = nil }
        }
        let failures = Failures()
        let model = WeakReference<Model>()
        try await LeakScope.run(GracePeriod(duration: .zero, clock: ContinuousClock())) {
            let actor = Model()
            model.refer(to: actor)
            track(actor) { failures.add($0) }
            await actor.hold()
        }
        #expect(failures.messages.first?.contains("Model.other → Model.") == true)
        await model.object?.letGo()
    }

    private struct ObjectKey: Hashable {
        let object: Node
        static func == (a: Self, b: Self) -> Bool { a.object === b.object }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
    }

    private final class Shy: CustomReflectable {
        var customMirror: Mirror {
            Issue.record("a mirror of the user's was asked")
            return Mirror(self, children: [:])
        }
    }
}
