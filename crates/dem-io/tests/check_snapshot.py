"""Prints what VTK's reader finds in each step of a VTKHDF file, one JSON line for each step.

Numbers are printed as text with all their digits, because JSON readers may round.
"""
import json
import sys

from vtkmodules.vtkCommonCore import vtkIdList
from vtkmodules.vtkIOHDF import vtkHDFReader

reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
assert reader.CanReadFile(sys.argv[1])
reader.UpdateInformation()
for step in range(reader.GetNumberOfSteps()):
    reader.SetStep(step)
    reader.Update()
    data = reader.GetOutputDataObject(0)
    count = data.GetNumberOfPoints()
    ends = [0, count - 1] if count else []
    arrays = data.GetPointData()
    found = {}
    for index in range(arrays.GetNumberOfArrays()):
        array = arrays.GetArray(index)
        assert array.GetNumberOfTuples() == count
        found[array.GetName()] = [[repr(x) for x in array.GetTuple(i)] for i in ends]
    points = [[repr(x) for x in data.GetPoint(i)] for i in ends]
    corners = []
    for cells in (data.GetVerts(), data.GetLines(), data.GetPolys()):
        ids = vtkIdList()
        for index in range(cells.GetNumberOfCells()):
            cells.GetCellAtId(index, ids)
            corners.append([ids.GetId(k) for k in range(ids.GetNumberOfIds())])
    print(json.dumps({"points": count, "vertices": data.GetNumberOfVerts(), "corners": corners,
                      "time": repr(reader.GetTimeValue()),
                      "ends": points, "arrays": found}, sort_keys=True))
