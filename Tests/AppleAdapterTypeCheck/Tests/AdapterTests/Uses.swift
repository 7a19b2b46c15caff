// What an app writes. It is compiled, and not run: that is the test.
import SwiftUI
import UIKit
import WharfPresentation

struct FilmsView: View {
    let films: [Film]

    var body: some View {
        ListRows(RowSource(films).header("Films").editable { _ in }) { _ in
        } row: { row in
            Text(row.element?.title ?? row.notice?.text ?? "")
        }
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

final class FilmItem: UICollectionViewCell, ListCell {
    func render(_ film: Film) -> UICollectionViewCell { self }
}

final class NoticeItem: UICollectionViewCell, ListCell {
    func render(_ notice: ListNotice) -> UICollectionViewCell { self }
}
