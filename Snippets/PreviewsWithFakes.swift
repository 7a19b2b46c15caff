// Article "Previews with fakes": a preview value for a key, and each state of a screen.
// snippet.screen
import WharfCore
import WharfDependencies
// snippet.hide
import WharfFakes
// snippet.show

struct Film: Identifiable, Equatable, Sendable {
    let id: Int
    let title: String
}

/// The calls that the list of films makes.
struct FilmReading: Sendable {
    let list: @Sendable () async -> Snapshot<[Film]>
}

extension FilmReading: DependencyKey {
    static var unimplemented: Self {
        Self(list: { unimplementedEndpoint("FilmReading.list()", default: Snapshot(kept: nil)) })
    }
}

/// The model of the screen. It reads the key in its initialiser, not in a method.
struct FilmListModel: Sendable {
    private let films: FilmReading

    init(films: FilmReading = Dependencies.current[FilmReading.self]) { self.films = films }

    func text() async -> String {
        let snapshot = await films.list()
        let titles = snapshot.value.map { $0.isEmpty ? "no films" : $0.map(\.title).joined(separator: ", ") }
        return (titles ?? "nothing to show") + (snapshot.error.map { " (\($0.code))" } ?? "")
    }
}
// snippet.end

// snippet.preview
// The default value of all previews, declared beside the screen.
extension FilmReading {
    init(_ repository: some ReadableRepository<Film>) {
        self.init(list: { await repository.listSnapshot(EntityQuery()) })
    }
}

extension FilmReading: PreviewDependencyKey {
    static var preview: Self {
        Self(ScriptedRepository([Film(id: 1, title: "Heat"), Film(id: 2, title: "Alien")]))
    }
}
// snippet.end

// snippet.states
/// Each state of the screen by its name.
enum FilmState: String, CaseIterable {
    case full, empty, old, offline

    var films: FilmReading {
        let repository = ScriptedRepository<Film>()
        let offline = ReadFailure(.offline, message: "scripted")
        switch self {
        case .full: return .preview
        case .empty: break
        case .old:
            repository.show(Film(id: 1, title: "Heat"))
            repository.fail(offline)
        case .offline: repository.showList(Snapshot(kept: nil, error: offline))
        }
        return FilmReading(repository)
    }
}

for state in FilmState.allCases {
    let model = withDependencies {
        $0[FilmReading.self] = state.films
    } operation: {
        FilmListModel()
    }
    print("\(state): \(await model.text())")
}
// snippet.end

// snippet.context
// Xcode's previews are in this context by default.
let model = withDependencies {
    $0.context = .preview
} operation: {
    FilmListModel()
}
print(await model.text())
// snippet.end

// snippet.output
// Output:
// full: Heat, Alien
// empty: no films
// old: Heat (offline)
// offline: nothing to show (offline)
// Heat, Alien
