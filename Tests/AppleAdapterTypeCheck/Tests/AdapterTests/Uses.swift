// The code of an app. Compiling it is the test, so it is not run.
import SwiftUI
import UIKit
import WharfCore
import WharfPresentation

enum Place: Route {
    case film(id: Int)
    case about

    static let links = RouteTable<Place>(appScheme: "demo") {
        LinkPath("film").segment(.int).route(Place.film) { if case .film(let id) = $0 { id } else { nil } }
        LinkPath("about").route(.about)
    }
}

struct FilmsView: View {
    let router: Router<Place>
    let films: [Film]
    let selection: Binding<ListSelection<Film.ID>>
    let loader: ListLoader<Film.ID>

    var body: some View {
        RouterStack(router) {
            ListRows(RowSource(films).header("Films").editable { _ in }, selection: selection, loader: loader) { _ in
            } row: { row in
                Text(row.element?.title ?? row.notice?.text ?? "")
            }
        } destination: { place in
            Text("\(place)")
        }
    }
}

struct TabbedFilmsView: View {
    let router: Router<Place>

    var body: some View {
        RouterTabs(router) { tab in
            Text("\(tab)")
        } label: { tab in
            Text("\(tab)")
        } destination: { place in
            Text("\(place)")
        }
    }
}

struct FoundFilmsView: View {
    @Snapshots private var films: Snapshot<[Film]>
    @State private var selection = ListSelection<Film.ID>(allowsSeveral: true)

    init(_ films: SnapshotSequence<[Film]>) { _films = Snapshots(films) }

    var body: some View {
        ListRows(RowSource(films), selection: $selection) { _ in
        } row: { row in
            Text(row.element?.title ?? "")
        }
    }
}

struct PosterView: View {
    let address: String
    let read: @Sendable (String) async -> Snapshot<[UInt8]>

    var body: some View {
        CachedImage(address, read: read) { image, error in
            if let image { image } else { Text(error?.message ?? "") }
        }
    }
}

struct FilmTitle: Sendable {
    var title = ""
}

@MainActor protocol FilmTitlePresenter: Presenter<FilmTitle> {
    func rename(to title: String)
}

struct FilmTitleView<P: FilmTitlePresenter>: View {
    let presenter: P

    var body: some View {
        TextField("Title", text: presenter.field(\.title) { $0.rename(to: $1) }.binding)
    }
}

@MainActor
func showFilms(_ films: [Film], in view: UICollectionView) -> some UICollectionViewDataSource {
    let cells = CellRegistry<Film, (view: UICollectionView, path: IndexPath), UICollectionViewCell> { _ in
        FilmItem(frame: .zero)
    } notices: { _ in
        NoticeItem(frame: .zero)
    }
    let source = ListCollectionDataSource(view, list: RowSource(films), cells: cells) { _, _, _ in
        UICollectionReusableView(frame: .zero)
    } onError: { _ in
    }
    source.show(RowSource(films.reversed()))
    return source
}

final class FilmItem: UICollectionViewCell, @MainActor ListCell {
    func render(_ film: Film) -> UICollectionViewCell { self }
}

final class NoticeItem: UICollectionViewCell, @MainActor ListCell {
    func render(_ notice: ListNotice) -> UICollectionViewCell { self }
}
